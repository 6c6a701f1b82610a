import { Button, TextInput } from '@mantine/core';
import {
  formatDocument,
  newReceipt,
  type NewReceipt,
  type ShownReceipt,
} from '../../../../backend/modules/receipts/receipts.api.js';
import { useBodyForm } from '../../lib/form.js';
import { useIssueReceipt } from '../../parts/quick-receipt.js';
import { DateField } from '../../ui/date-field.js';
import { FieldPair, FormStack, submitting } from '../../ui/form.js';
import { toast } from '../../ui/toast.js';
import { ReceiptEcho } from './receipt-echo.js';
import classes from './receipts.module.css';

interface ReceiptFormProps {
  transactionId: string;
  suggested: ShownReceipt['sugestao'];
  /** Whether it shows also what is known. */
  isWhole: boolean;
  onWhole: () => void;
  onClose: () => void;
}

/** Issues a receipt: payer, purpose and period, which cannot be changed later. Asks what is missing; the rest can be changed. */
export function ReceiptForm({ transactionId, suggested, isWhole, onWhole, onClose }: ReceiptFormProps) {
  const issue = useIssueReceipt();
  const form = useBodyForm({
    initialValues: { ...suggested, cpf: formatDocument(suggested.cpf) },
    schema: newReceipt,
    toBody: ({ cpf, ...values }) => ({ ...values, cpf: cpf || null }),
  });
  const save = async (body: NewReceipt) => {
    const { numero } = await issue.mutateAsync({ id: transactionId, ...body });
    toast.success(`Recibo nº ${numero} emitido`);
  };
  const { errors } = form;
  const isShown = (field: 'nome' | 'descricao') =>
    isWhole || !suggested[field] || errors[field] !== undefined;
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao emitir o recibo' })}>
      {!isWhole && <ReceiptEcho of={suggested} onChange={onWhole} />}
      {isShown('nome') && <TextInput label="Quem pagou" autoComplete="off" {...form.getInputProps('nome')} />}
      <TextInput
        autoFocus={!isWhole}
        label="CPF ou CNPJ de quem pagou"
        autoComplete="off"
        description="Necessário para o Carnê-Leão e para o imposto de renda de quem paga."
        {...form.getInputProps('cpf')}
      />
      {isShown('descricao') && (
        <TextInput label="Referente a" autoComplete="off" {...form.getInputProps('descricao')} />
      )}
      {isWhole && (
        <FieldPair>
          <DateField label="Período de" {...form.getInputProps('de')} />
          <DateField label="até" {...form.getInputProps('ate')} />
        </FieldPair>
      )}
      <p className={classes.quiet}>
        Depois de emitido, o recibo não muda: para cancelá-lo, desfaça ou devolva o pagamento.
      </p>
      <Button type="submit" loading={form.submitting}>
        Emitir recibo
      </Button>
      <Button variant="subtle" color="gray" onClick={onClose}>
        Voltar
      </Button>
    </FormStack>
  );
}
