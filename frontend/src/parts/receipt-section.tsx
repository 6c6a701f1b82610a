import { Button, TextInput } from '@mantine/core';
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { useSearchParams } from 'react-router-dom';
import {
  type NewReceipt,
  type Receipt,
  newReceipt,
  type ShownReceipt,
} from '../../../backend/modules/receipts/receipts.api.js';
import { formatDocument } from '../../../backend/modules/students/document.api.js';
import { RECEIPT } from '../lib/charge-address.js';
import { dayOf, formatDay, formatDate } from '../lib/dates.js';
import { formatMoney } from '../lib/money.js';
import { onceOpened } from '../ui/open-whatsapp.js';
import { useToday, useZone } from '../lib/zone.js';
import {
  completeReceipt,
  useIssueReceipt,
  useReceipt,
  useReceiptIssuer,
  useSendReceipt,
  payerIn,
} from './quick-receipt.js';
import { Why } from './why.js';
import { ChoiceChip, ChoiceChips } from '../ui/choice-chip.js';
import { Facts } from '../ui/facts.js';
import { Icon } from '../ui/icon.js';
import { Section } from '../ui/page.js';
import { Quiet } from '../ui/quiet.js';
import { SheetActions } from '../ui/sheet.js';
import { Async, Skeletons } from '../ui/states.js';
import { attempt, toast } from '../ui/toast.js';
import { useBodyForm } from '../lib/form.js';
import { DateField } from '../ui/date-field.js';
import { FieldPair, FormStack, submitting } from '../ui/form.js';
import { IssuerForm } from './issuer-form.js';
import classes from './receipts.module.css';

interface ReceiptSectionProps {
  transactionId: string;
  /** A reversed receita gets no receipt, and an existing one is cancelled. */
  reversed: boolean;
  /** Reports whether a form is open, which has its own buttons. */
  onFilling: (isFilling: boolean) => void;
  /** In a sheet whose main button is the receipt's: stands beside it. */
  beside?: ReactNode;
  /** Stands between the receipt and the main button, while no form is open. */
  children?: ReactNode;
}

/** The receipt of a receita, or a button to issue one; what was paid at once has one together. */
export function ReceiptSection({ transactionId, reversed, ...parts }: ReceiptSectionProps) {
  return (
    <Async of={useReceipt(transactionId)} skeleton={<Skeletons count={1} height={96} />}>
      {({ recibo, sugestao, partes }) => {
        if (recibo) return <Issued receipt={recibo} of={partes} {...parts} />;
        if (reversed) return null;
        return <ToIssue transactionId={transactionId} suggested={sugestao} of={partes} {...parts} />;
      }}
    </Async>
  );
}

/** What each receita of a receipt of several is. */
function Parts({ of }: { of: ShownReceipt['partes'] }) {
  return (
    of.length > 0 && (
      <Facts
        of={of.map(({ aluno, descricao, valor }) => [
          [aluno, descricao].filter(Boolean).join(' · '),
          formatMoney(valor),
        ])}
      />
    )
  );
}

function Issued({
  receipt,
  of,
  beside,
  children,
}: Pick<ReceiptSectionProps, 'beside' | 'children'> & { receipt: Receipt; of: ShownReceipt['partes'] }) {
  const [zone, today] = [useZone(), useToday()];
  const { mutateAsync, isPending } = useSendReceipt();
  const isValid = receipt.cancelado_em === null;
  const mail = () =>
    attempt(async () => {
      await mutateAsync({ id: receipt.id, canal: 'email' });
      toast.success('Recibo enviado por e-mail');
    }, 'Erro ao enviar o recibo');
  const send = isValid && receipt.whatsapp && (
    <Button
      component="a"
      href={receipt.whatsapp}
      target="_blank"
      rel="noreferrer"
      variant={beside ? 'filled' : 'light'}
      onClick={onceOpened(() => void mutateAsync({ id: receipt.id, canal: 'whatsapp' }))}
      leftSection={<Icon name="chat" size={18} />}
    >
      Enviar pelo WhatsApp
    </Button>
  );
  return (
    <>
      <Section title={`Recibo nº ${receipt.numero}`}>
        <div className={classes.stack}>
          {!isValid && (
            <p className={classes.cancelled}>
              Cancelado: {of.length > 0 ? 'uma das receitas' : 'a receita'} foi estornada. A cópia sai com
              esse aviso.
            </p>
          )}
          <Facts
            of={[
              ['Quem pagou', receipt.nome],
              ['CPF ou CNPJ', receipt.cpf ? formatDocument(receipt.cpf) : 'Não informado'],
              ['Emitido', formatDay(dayOf(receipt.emitido_em, zone), today)],
              ['Código', receipt.codigo],
              ['Lacre', receipt.lacre],
            ]}
          />
          <Parts of={of} />
          <Why of={`receipt:${receipt.id}`} label="Por que este recibo?" />
          <Button
            component="a"
            href={receipt.link}
            target="_blank"
            rel="noreferrer"
            variant="default"
            leftSection={<Icon name="link" size={18} />}
          >
            Abrir recibo
          </Button>
          {!beside && send}
          {isValid && receipt.por_email && (
            <Button variant="light" loading={isPending} onClick={() => void mail()}>
              Enviar por e-mail
            </Button>
          )}
        </div>
      </Section>
      {children}
      {beside && (
        <SheetActions>
          {beside}
          {send}
        </SheetActions>
      )}
    </>
  );
}

function ToIssue({
  transactionId,
  suggested,
  of,
  onFilling,
  beside,
  children,
}: Omit<ReceiptSectionProps, 'reversed'> & {
  suggested: Parameters<typeof ReceiptForm>[0]['suggested'];
  of: ShownReceipt['partes'];
}) {
  const [search] = useSearchParams();
  /** `missing`: the form of what is not known; `whole`: of everything. */
  const [chosen, setStep] = useState<'closed' | 'missing' | 'whole' | 'issuer' | null>(null);
  const step = chosen ?? (search.has(RECEIPT) ? 'missing' : 'closed');
  const issuer = useReceiptIssuer();
  const issue = useIssueReceipt();
  const known = issuer.data && completeReceipt(issuer.data, suggested);
  const tell = useEffectEvent(onFilling);
  const isFilling = step !== 'closed';
  useEffect(() => {
    tell(isFilling);
    return () => tell(false);
  }, [isFilling]);
  if (step === 'closed') {
    const issueKnown = (body: NewReceipt) =>
      attempt(async () => {
        const { numero } = await issue.mutateAsync({ id: transactionId, ...body });
        toast.success(`Recibo nº ${numero} emitido`);
      }, 'Erro ao emitir o recibo');
    const together = of.length > 0 && (
      <>
        <Quiet size="xs">
          Um só recibo, de {formatMoney(of.reduce((sum, { valor }) => sum + valor, 0))}, para o que foi pago
          de uma vez:
        </Quiet>
        <Parts of={of} />
      </>
    );
    const echo = (
      <>
        {together}
        {known && <ReceiptEcho of={suggested} onChange={() => setStep('whole')} />}
      </>
    );
    const begin = (
      <Button
        loading={issue.isPending || issuer.isPending}
        onClick={() => (known ? void issueKnown(known) : setStep('missing'))}
        leftSection={<Icon name="plus" size={18} />}
      >
        Emitir recibo
      </Button>
    );
    return (
      <>
        {children}
        {beside ? (
          <SheetActions>
            {echo}
            {beside}
            {begin}
          </SheetActions>
        ) : (
          <>
            {echo}
            {begin}
          </>
        )}
      </>
    );
  }
  return (
    <Async of={issuer} skeleton={<Skeletons count={3} height={64} />}>
      {({ emitente, nome, cpf }) =>
        emitente === null || step === 'issuer' ? (
          <Section title="Seus dados no recibo">
            <IssuerForm issuer={emitente} name={nome} cpf={cpf} onDone={() => setStep('missing')} />
          </Section>
        ) : (
          <Section
            title="Emitir recibo"
            action={
              <Button size="sm" variant="subtle" onClick={() => setStep('issuer')}>
                Seus dados
              </Button>
            }
          >
            <Parts of={of} />
            <ReceiptForm
              transactionId={transactionId}
              suggested={suggested}
              isWhole={step === 'whole'}
              onWhole={() => setStep('whole')}
              onClose={() => setStep('closed')}
            />
          </Section>
        )
      }
    </Async>
  );
}

interface ReceiptFormProps {
  transactionId: string;
  suggested: ShownReceipt['sugestao'];
  /** Whether it shows also what is known. */
  isWhole: boolean;
  onWhole: () => void;
  onClose: () => void;
}

/** Issues a receipt: payer, purpose and period, which cannot be changed later. Asks what is missing; the rest can be changed. */
function ReceiptForm({ transactionId, suggested, isWhole, onWhole, onClose }: ReceiptFormProps) {
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
  const { payer_id, nome, cpf } = suggested;
  const isPayers = form.values.payer_id !== null;
  const isShown = (field: 'nome' | 'descricao') =>
    isWhole || !suggested[field] || errors[field] !== undefined;
  return (
    <FormStack form={form} onSubmit={submitting(form, { save, failure: 'Erro ao emitir o recibo' })}>
      {!isWhole && <ReceiptEcho of={suggested} onChange={onWhole} />}
      {isWhole && payer_id !== null && (
        <ChoiceChips label="Em nome de">
          <ChoiceChip
            aria-pressed={isPayers}
            onClick={() => form.setValues({ payer_id, nome, cpf: formatDocument(cpf) })}
          >
            {nome}
          </ChoiceChip>
          <ChoiceChip
            aria-pressed={!isPayers}
            onClick={() => form.setValues({ payer_id: null, nome: '', cpf: '' })}
          >
            Outra pessoa
          </ChoiceChip>
        </ChoiceChips>
      )}
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
      <Quiet size="xs">
        Depois de emitido, o recibo não muda: para cancelá-lo, desfaça ou devolva o pagamento.
      </Quiet>
      <Button type="submit" loading={form.submitting}>
        Emitir recibo
      </Button>
      <Button variant="subtle" color="gray" onClick={onClose}>
        Voltar
      </Button>
    </FormStack>
  );
}

interface ReceiptEchoProps {
  of: ShownReceipt['sugestao'];
  onChange: () => void;
}

/** What the receipt will say, before it is issued: payer, purpose and period; each can be changed. */
function ReceiptEcho({ of, onChange }: ReceiptEchoProps) {
  const period = `${formatDate(of.de).slice(0, 5)} a ${formatDate(of.ate)}`;
  return (
    <p className={classes.echo}>
      <span>{[payerIn(of), of.descricao, period].filter(Boolean).join(' · ')}</span>
      <Button size="compact-sm" h={44} variant="subtle" onClick={onChange}>
        Mudar
      </Button>
    </p>
  );
}
