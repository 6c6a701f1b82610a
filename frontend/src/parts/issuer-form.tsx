import { Button, TextInput } from '@mantine/core';
import {
  receiptIssuer,
  type ReceiptIssuer,
  type ShownReceiptIssuer,
} from '../../../backend/modules/receipts/receipts.api.js';
import { formatDocument } from '../../../backend/modules/students/document.api.js';
import { useSend } from '../lib/command.js';
import { useBodyForm } from '../lib/form.js';
import { FormStack, submitting } from '../ui/form.js';
import { toast } from '../ui/toast.js';

interface IssuerFormProps {
  issuer: ShownReceiptIssuer['emitente'];
  /** The trainer's own name, and CPF if the account has it. */
  name: string;
  cpf: string | null;
  onDone: () => void;
}

/** The issuer of receipts, required before the first one. */
export function IssuerForm({ issuer, name, cpf, onDone }: IssuerFormProps) {
  const set = useSend('PUT /settings/receipts');
  const form = useBodyForm({
    initialValues: {
      nome: issuer?.nome ?? name,
      documento: formatDocument(issuer?.documento ?? cpf ?? ''),
      cref: issuer?.cref ?? '',
      cidade: issuer?.cidade ?? '',
    },
    schema: receiptIssuer,
    toBody: (values) => values,
  });
  const save = async (body: ReceiptIssuer) => {
    await set.mutateAsync(body);
    toast.success('Seus dados foram salvos');
    onDone();
  };
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao salvar' })}>
      <TextInput label="Seu nome ou o da empresa" autoComplete="off" {...form.getInputProps('nome')} />
      <TextInput
        label="CPF ou CNPJ"
        description="Aparece nos seus recibos e contratos e, em parte oculto, a quem paga por Pix. Se emite pela empresa, troque pelo CNPJ."
        autoComplete="off"
        {...form.getInputProps('documento')}
      />
      <TextInput
        label="CREF (opcional)"
        placeholder="012345-G/SP"
        autoComplete="off"
        {...form.getInputProps('cref')}
      />
      <TextInput label="Cidade" autoComplete="off" {...form.getInputProps('cidade')} />
      <Button type="submit" loading={form.submitting}>
        Salvar
      </Button>
    </FormStack>
  );
}
