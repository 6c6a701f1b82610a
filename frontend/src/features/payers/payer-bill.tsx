import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import {
  type Bill,
  type BillPayment,
  newBillPayment,
  type NewBillPayment,
} from '../../../../backend/modules/charges/bills.api.js';
import { sumInWords } from '../../../../backend/modules/charges/charge-terms.api.js';
import type { Payer } from '../../../../backend/modules/payers/payers.api.js';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { read } from '../../lib/calls.js';
import { chargeAddress } from '../../lib/charge-address.js';
import { copyText } from '../../lib/clipboard.js';
import { useSend, useSendTo } from '../../lib/command.js';
import { formatDay, monthOf } from '../../lib/dates.js';
import { useBodyForm } from '../../lib/form.js';
import { amountOf, formatAmount, formatMoney } from '../../lib/money.js';
import { useToday } from '../../lib/zone.js';
import { UndoSheet } from '../../parts/undo-sheet.js';
import { Card } from '../../ui/card.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair } from '../../ui/form.js';
import { IconAction, IconActions } from '../../ui/icon-actions.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import { ReplaceLinkSheet } from '../../parts/replace-link-sheet.js';
import { Row } from '../../ui/row.js';
import { Sheet, SheetForm } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './payers.module.css';
import { useBill, useReverseBillPayment } from './payers.queries.js';

/** What a payer owes for all students, and what was paid of it at once. */
export function PayerBill({ payer }: { payer: Payer }) {
  const bill = useBill(payer.id);
  const [paying, setPaying] = useState(false);
  const total = bill.data?.total ?? 0;
  return (
    <>
      <Section
        title="Conta"
        action={
          total > 0 && (
            <Button size="sm" variant="subtle" onClick={() => setPaying(true)}>
              Registrar pagamento
            </Button>
          )
        }
      >
        <Async of={bill} failure="Erro ao carregar a conta" skeleton={<Skeletons count={2} />}>
          {(data) =>
            data.itens.length === 0 ? (
              <Card>
                <Notice icon="check" title="Nada em aberto" />
              </Card>
            ) : (
              <Open payer={payer} bill={data} />
            )
          }
        </Async>
      </Section>
      {bill.data && bill.data.pagamentos.length > 0 && (
        <Payments payerId={payer.id} payments={bill.data.pagamentos} />
      )}
      <Sheet
        opened={paying}
        onClose={() => setPaying(false)}
        title={`Pagamento · ${payer.nome}`}
        beginsAtField="typed"
        withoutAddress
      >
        {bill.data && <PaymentForm payerId={payer.id} bill={bill.data} onDone={() => setPaying(false)} />}
      </Sheet>
    </>
  );
}

function Open({ payer, bill: { total, itens, link, whatsapp, pix } }: { payer: Payer; bill: Bill }) {
  const today = useToday();
  const replace = useSendTo('POST /payers/:id/link');
  const copy = async (text: string, done: string) => {
    if (await copyText(text)) toast.success(done);
    else toast.error('Não foi possível copiar');
  };
  const [isReplacing, setReplacing] = useState(false);
  return (
    <>
      <Card fields>
        <Money cents={total} className={classes.total} />
        <IconActions>
          {whatsapp && (
            <IconAction icon="chat" href={whatsapp}>
              Enviar
            </IconAction>
          )}
          {link && (
            <IconAction icon="link" onClick={() => void copy(link, 'Link copiado!')}>
              Copiar link
            </IconAction>
          )}
          {pix && (
            <IconAction icon="pix" onClick={() => void copy(pix, 'Código Pix copiado!')}>
              Copiar Pix
            </IconAction>
          )}
          <IconAction icon="renew" onClick={() => setReplacing(true)}>
            Trocar link
          </IconAction>
        </IconActions>
      </Card>
      {isReplacing && (
        <ReplaceLinkSheet
          onReplace={() => replace.mutateAsync(payer.id)}
          onClose={() => setReplacing(false)}
        />
      )}
      <Card flush>
        {itens.map((item) => (
          <Row
            key={item.id}
            to={chargeAddress(item.id)}
            title={item.aluno}
            facts={[
              item.descricao,
              `${item.vencimento < today ? 'venceu' : 'vence'} ${formatDay(item.vencimento, today)}`,
              sumInWords(item.falta, item.hoje),
            ]
              .filter(Boolean)
              .join(' · ')}
            trail={<Money cents={item.hoje.total} />}
          />
        ))}
      </Card>
    </>
  );
}

interface PaymentFormProps {
  payerId: string;
  bill: Bill;
  onDone: () => void;
}

function PaymentForm({ payerId, bill: { total, itens }, onDone }: PaymentFormProps) {
  const today = useToday();
  const pay = useSend('POST /payers/:id/payments', payerId);
  const reverse = useReverseBillPayment(payerId);
  const form = useBodyForm({
    initialValues: { valor: formatAmount(total), data: today, metodo_pagamento: 'pix' },
    schema: newBillPayment,
    toBody: ({ valor, ...values }) => ({ ...values, valor: amountOf(valor) }),
  });
  const save = async (body: NewBillPayment) => {
    const { id, cobrancas, quitadas, creditos } = await pay.mutateAsync(body);
    onDone();
    const settled = plural(quitadas, 'cobrança quitada', 'cobranças quitadas');
    const part = cobrancas > quitadas ? ' e uma em parte' : '';
    const credits = creditos > 0 ? `, ${plural(creditos, 'crédito adicionado', 'créditos adicionados')}` : '';
    toast.success('Pagamento registrado', {
      description: `${formatMoney(body.valor)}: ${settled}${part}${credits}.`,
      ...takenBack(() => reverse.mutateAsync(id), 'Pagamento desfeito'),
    });
  };
  return (
    <SheetForm form={form} save={save} failure="Erro ao registrar o pagamento" submit="Registrar pagamento">
      <MoneyField
        label="Valor (R$)"
        description={
          itens.length > 1
            ? 'Vai primeiro para as cobranças que vencem antes; cada uma fica com a sua parte.'
            : ''
        }
        {...form.getInputProps('valor')}
      />
      <FieldPair>
        <DateField label="Data" {...form.getInputProps('data')} />
        <NativeSelect
          label="Meio de pagamento"
          data={Object.entries(methodNames).map(([value, label]) => ({ value, label }))}
          {...form.getInputProps('metodo_pagamento')}
        />
      </FieldPair>
    </SheetForm>
  );
}

function Payments({ payerId, payments }: { payerId: string; payments: readonly BillPayment[] }) {
  const today = useToday();
  const reverse = useReverseBillPayment(payerId);
  const [undoing, setUndoing] = useState<string | null>(null);
  const undo = (id: string) =>
    attempt(async () => {
      await reverse.mutateAsync(id);
      toast.success('Pagamento desfeito');
    }, 'Erro ao desfazer o pagamento');
  return (
    <Section title="Pagamentos da conta">
      <Card flush>
        {payments.map(({ id, valor, data, metodo_pagamento, cobrancas, transaction_id }) => (
          <Row
            key={id}
            to={`/financeiro?mes=${monthOf(data)}&transacao=${transaction_id}`}
            title={<Money cents={valor} />}
            facts={`${formatDay(data, today)} · ${methodNames[metodo_pagamento]} · ${plural(cobrancas, 'cobrança', 'cobranças')} · recibo`}
            actions={
              <Button size="sm" variant="subtle" onClick={() => setUndoing(id)}>
                Desfazer
              </Button>
            }
          />
        ))}
      </Card>
      {undoing && (
        <UndoSheet
          what="Desfazer pagamento"
          of={undoing}
          price={(signal) =>
            read('GET /payers/:id/payments/:payment/reverse/preview', { of: [payerId, undoing], signal })
          }
          onUndo={() => undo(undoing)}
          onClose={() => setUndoing(null)}
        />
      )}
    </Section>
  );
}
