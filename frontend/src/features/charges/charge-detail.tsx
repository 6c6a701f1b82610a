import { Button, Menu } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type {
  ChargeDetail as Detail,
  ChargePayment,
} from '../../../../backend/modules/charges/charges.api.js';
import { read } from '../../lib/calls.js';
import { copyText } from '../../lib/clipboard.js';
import { chargeAddress } from '../../lib/charge-address.js';
import { useSend } from '../../lib/command.js';
import { formatDay, formatLongDay, type Moment } from '../../lib/dates.js';
import { ASKS_MOMENT, inPast } from '../../lib/moment.js';
import { ReceiptSection } from '../../parts/receipt-section.js';
import { onceOpened } from '../../ui/open-whatsapp.js';
import { useToday } from '../../lib/zone.js';
import { formatMoney } from '../../lib/money.js';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import { History } from '../../parts/history.js';
import { useNoteSent } from '../../parts/note-sent.js';
import { UndoButton } from '../../parts/undo-sheet.js';
import { Why } from '../../parts/why.js';
import { Facts } from '../../ui/facts.js';
import { ASK_PAST } from '../../ui/ask-past.js';
import { Icon } from '../../ui/icon.js';
import { IconAction, IconActions } from '../../ui/icon-actions.js';
import { Money } from '../../ui/money.js';
import { MoreMenu } from '../../ui/more-menu.js';
import { Section } from '../../ui/page.js';
import { AsItWas } from '../../ui/past.js';
import { ReplaceLinkSheet } from '../../parts/replace-link-sheet.js';
import { Quiet } from '../../ui/quiet.js';
import { SheetActions, SheetTitle } from '../../ui/sheet.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import { ChangeForm, PayForm, PromiseForm, RefundForm } from './charge-forms.js';
import { ChargeTag } from './charge-tag.js';
import classes from './charges.module.css';
import { todayFacts } from './today-facts.js';
import { useChargeStep, usePayCharge, usePixAccount, useReversePayment } from './charges.queries.js';
import { copyPixCode } from './copy-pix-code.js';
import { useChargePayment } from './use-charge-payment.js';

type Form = 'pay' | 'change' | 'promise' | ChargePayment;

export function ChargeDetail({ charge }: { charge: Detail }) {
  const [form, setForm] = useState<Form | null>(null);
  const [isFilling, setFilling] = useState(false);
  const [isReplacing, setReplacing] = useState(false);
  const step = useChargeStep(charge.id);
  const noteSent = useNoteSent();
  const pay = useChargePayment(charge);
  const isOpen = isOpenNow(charge);
  // Sending it finishes it: until then, that is the main button.
  const isFresh = charge.situacao === 'aberta' && !charge.enviada && !charge.avisada_em && charge.pago === 0;
  const toSend = isFresh && charge.whatsapp;
  const paidBy =
    charge.situacao === 'paga' ? charge.pagamentos.findLast(({ estornado }) => !estornado) : undefined;
  const done = () => setForm(null);

  const cancel = () =>
    attempt(async () => {
      await step.mutateAsync('cancel');
      toast.success('Cobrança cancelada', { undo: restore, undone: 'Cancelamento desfeito' });
    }, 'Erro ao cancelar a cobrança');
  const restore = () => attempt(() => step.mutateAsync('restore'), 'Erro ao desfazer');

  const title = <SheetTitle of={titleOf(charge)} />;
  if (form !== null)
    return (
      <>
        {title}
        {form === 'pay' && <PayForm charge={charge} onDone={done} />}
        {form === 'change' && <ChangeForm charge={charge} onDone={done} />}
        {form === 'promise' && <PromiseForm charge={charge} onDone={done} />}
        {typeof form === 'object' && <RefundForm charge={charge} payment={form} onDone={done} />}
      </>
    );

  const more = (
    <MoreMenu>
      {isOpen && (
        <>
          <Menu.Item leftSection={<Icon name="edit" size={18} />} onClick={() => setForm('change')}>
            Alterar
          </Menu.Item>
          <Menu.Item leftSection={<Icon name="renew" size={18} />} onClick={() => setReplacing(true)}>
            Trocar link
          </Menu.Item>
        </>
      )}
      <Menu.Item
        component={Link}
        to={`/alunos/${charge.student_id}`}
        leftSection={<Icon name="people" size={18} />}
      >
        Ver aluno
      </Menu.Item>
      <Menu.Item
        component={Link}
        to={`${chargeAddress(charge.id)}&${ASKS_MOMENT}`}
        leftSection={<Icon name="clock" size={18} />}
      >
        {ASK_PAST}
      </Menu.Item>
      {isOpen && charge.pago === 0 && (
        <>
          <Menu.Divider />
          <Menu.Item
            color="var(--rende-bad)"
            leftSection={<Icon name="close" size={18} />}
            onClick={() => void cancel()}
          >
            Cancelar cobrança
          </Menu.Item>
        </>
      )}
    </MoreMenu>
  );

  const rest = (
    <>
      <Payments charge={charge} onRefund={setForm} />
      <Why of={`charge:${charge.id}`} />
      <Section title="Histórico">
        <History kind="charge" id={charge.id} />
      </Section>
    </>
  );

  return (
    <div className={classes.detail}>
      {title}
      {isReplacing && (
        <ReplaceLinkSheet onReplace={() => step.mutateAsync('link')} onClose={() => setReplacing(false)} />
      )}
      {!isFilling && (
        <>
          <Known charge={charge} toSend={Boolean(toSend)} />
          {charge.hoje.total > charge.falta && (
            <Button {...quiet} loading={pay.isPending} onClick={() => pay.whole('falta')}>
              Receber {formatMoney(charge.falta)}, sem multa e juros
            </Button>
          )}
          {charge.devolver > 0 && <ToReturn charge={charge} onRefund={setForm} />}
          {charge.link && (
            <PaymentLink
              charge={charge}
              link={charge.link}
              onPay={toSend ? () => setForm('pay') : undefined}
              onPromise={() => setForm('promise')}
            />
          )}
        </>
      )}
      {paidBy ? (
        <ReceiptSection
          transactionId={paidBy.transaction_id}
          reversed={false}
          onFilling={setFilling}
          beside={more}
        >
          {rest}
        </ReceiptSection>
      ) : (
        <>
          {rest}
          <SheetActions>
            {isOpen && !toSend && (
              <p className={classes.echo}>
                {formatMoney(charge.pedido)}, {methodNames[pay.method]}, hoje
                <Button size="compact-sm" h={44} variant="subtle" onClick={() => setForm('pay')}>
                  Mudar
                </Button>
              </p>
            )}
            {more}
            {isOpen && !toSend && (
              <Button loading={pay.isPending} onClick={() => pay.whole()} leftSection={<Icon name="check" />}>
                {charge.pedido < charge.hoje.total ? 'Receber o sinal' : 'Marcar como paga'}
              </Button>
            )}
            {toSend && (
              <Button
                component="a"
                href={toSend}
                target="_blank"
                rel="noreferrer"
                onClick={onceOpened(() => noteSent([charge.id]))}
                leftSection={<Icon name="chat" />}
              >
                Enviar no WhatsApp
              </Button>
            )}
            {charge.situacao === 'cancelada' && (
              <UndoButton
                variant="default"
                what="Desfazer o cancelamento"
                of={charge.id}
                price={(signal) => read('GET /charges/:id/restore/preview', { of: [charge.id], signal })}
                onUndo={restore}
              />
            )}
          </SheetActions>
        </>
      )}
    </div>
  );
}

/** A charge as it was at a moment, with its history until then. */
export function PastCharge({ charge, moment }: { charge: Detail; moment: Moment }) {
  return (
    <div className={classes.detail}>
      <SheetTitle of={titleOf(charge)} />
      <AsItWas moment={moment} />
      <Known charge={charge} />
      {charge.pagamentos.length > 0 && (
        <Section title="Pagamentos">
          {charge.pagamentos.map((payment) => (
            <PaymentFacts key={payment.id} payment={payment} />
          ))}
        </Section>
      )}
      <Section title="Histórico até então">
        <History kind="charge" id={charge.id} at={moment.at} />
      </Section>
      <SheetActions>
        <Button
          component={Link}
          variant="default"
          to={inPast(`/alunos/${charge.student_id}`, moment)}
          leftSection={<Icon name="people" size={18} />}
        >
          Ver aluno
        </Button>
      </SheetActions>
    </div>
  );
}

const isOpenNow = ({ situacao }: Detail) => situacao === 'aberta' || situacao === 'vencida';

/** "R$ 90,00 · Ana Souza" */
const titleOf = (charge: Detail) =>
  `${formatMoney(isOpenNow(charge) ? charge.hoje.total : charge.valor)} · ${charge.student_nome ?? 'Aluno apagado'}`;

/** State, purpose and amounts. */
function Known({ charge, toSend = false }: { charge: Detail; toSend?: boolean }) {
  const today = useToday();
  const isOpen = isOpenNow(charge);
  return (
    <>
      <div>
        <div className={classes.state}>
          <ChargeTag {...charge} toSend={toSend} />
        </div>
        <p className={classes.what}>
          {charge.descricao ?? 'Cobrança'} ·{' '}
          <span title={formatLongDay(charge.vencimento)}>
            {charge.situacao === 'vencida' ? 'venceu' : isOpen ? 'vence' : 'vencimento'}{' '}
            {formatDay(charge.vencimento, today)}
          </span>
        </p>
      </div>
      <Facts
        of={[
          ['Valor', charge.pago > 0 && isOpen && <Money key="valor" cents={charge.valor} />],
          ['Já pago', charge.pago > 0 && isOpen && <Money key="pago" cents={charge.pago} />],
          ...todayFacts(charge),
          ['Sinal pedido', charge.pedido < charge.hoje.total && <Money key="sinal" cents={charge.pedido} />],
          [
            'Quem paga',
            charge.pagador && (
              <Link key="pagador" className={classes.toCharge} to={`/pagadores/${charge.pagador.id}`}>
                {charge.pagador.nome}
              </Link>
            ),
          ],
          ['A devolver', charge.devolver > 0 && <Money key="devolver" cents={charge.devolver} />],
          ['Plano', charge.plano_nome !== charge.descricao && charge.plano_nome],
          ['Créditos ao pagar', isOpen && charge.creditos > 0 && String(charge.creditos)],
          ['Créditos', charge.grant_id !== null && 'Já adicionados na renovação'],
          ['Prometeu pagar', isOpen && charge.prometida && formatDay(charge.prometida, today)],
        ]}
      />
    </>
  );
}

/** A booking that is over, of which money goes back: by the form of refunds, or it is kept for something else. */
function ToReturn({ charge, onRefund }: { charge: Detail; onRefund: (payment: ChargePayment) => void }) {
  const { devolver, pagamentos } = charge;
  const keep = useSend('PUT /charges/:id/return', charge.id);
  const payment = pagamentos.findLast(({ estornado }) => !estornado);
  const change = (to: number, from: number) => keep.mutateAsync({ devolver: to, se_ainda: from });
  const onKeep = () =>
    attempt(async () => {
      await change(0, devolver);
      toast.success(
        'Nada mais a devolver',
        takenBack(() => change(devolver, 0), 'De volta em “A devolver”'),
      );
    }, 'Erro ao salvar');
  return (
    <>
      <Quiet size="xs">
        A reserva terminou e {formatMoney(devolver)} voltam para quem pagou. Faça o Pix e registre aqui.
      </Quiet>
      <div className={classes.actions}>
        {payment && (
          <Button
            size="sm"
            ml={10}
            onClick={() => onRefund(payment)}
            leftSection={<Icon name="undo" size={18} />}
          >
            Devolvi {formatMoney(devolver)}
          </Button>
        )}
        <Button {...quiet} loading={keep.isPending} onClick={() => void onKeep()}>
          Combinei outra coisa
        </Button>
      </div>
    </>
  );
}

const quiet = { size: 'sm', variant: 'subtle', color: 'gray' } as const;

interface PaymentLinkProps {
  charge: Detail;
  link: string;
  /** Where the main button is another one. */
  onPay: (() => void) | undefined;
  onPromise: () => void;
}

/** The ways to the money of an open charge: its link, its Pix code, a promise. */
function PaymentLink({ charge, link, onPay, onPromise }: PaymentLinkProps) {
  const pix = usePixAccount();
  const { pix: code, provedor, whatsapp } = charge;
  const copy = async () => {
    if (await copyText(link)) toast.success('Link copiado!');
    else toast.error('Não foi possível copiar', { description: link });
  };
  return (
    <>
      <IconActions>
        {onPay ? (
          <IconAction icon="check" onClick={onPay}>
            Já foi paga
          </IconAction>
        ) : (
          whatsapp && (
            <IconAction icon="chat" href={whatsapp}>
              WhatsApp
            </IconAction>
          )
        )}
        <IconAction icon="link" onClick={() => void copy()}>
          Copiar link
        </IconAction>
        {code && (
          <IconAction icon="pix" onClick={() => void copyPixCode(code, 'Cole na conversa com o aluno.')}>
            Copiar Pix
          </IconAction>
        )}
        <IconAction icon="clock" onClick={onPromise}>
          Anotar promessa
        </IconAction>
      </IconActions>
      {pix.data?.conta === null && (
        <Quiet size="xs">
          Sem chave Pix, a página mostra só o valor. <Link to="/ajustes/pix">Cadastrar a chave Pix</Link>
        </Quiet>
      )}
      {provedor?.fez && (
        <Quiet size="xs">O código Pix é do seu provedor: o pagamento dá baixa sozinho.</Quiet>
      )}
      {provedor && !provedor.fez && provedor.falha === null && (
        <Quiet size="xs">O provedor está criando o código. Por enquanto, vale o da sua chave.</Quiet>
      )}
      {provedor && provedor.falha !== null && (
        <p className={classes.failed} role="alert">
          {provedor.fez
            ? `Não foi possível consultar o provedor: ${provedor.falha}.`
            : `O provedor não criou o código: ${provedor.falha}. Vale o da sua chave, e tentaremos de novo.`}
        </p>
      )}
    </>
  );
}

interface PaymentsProps {
  charge: Detail;
  onRefund: (payment: ChargePayment) => void;
}

function Payments({ charge, onRefund }: PaymentsProps) {
  if (charge.pagamentos.length === 0) return null;
  return (
    <Section title="Pagamentos">
      {charge.pagamentos.map((payment) => (
        <PaymentLine
          key={payment.id}
          chargeId={charge.id}
          payment={payment}
          grantedCredits={charge.situacao === 'paga' && charge.creditos > 0}
          onRefund={charge.situacao === 'paga' ? () => onRefund(payment) : undefined}
        />
      ))}
    </Section>
  );
}

/** What was refunded of a payment, and whether the rest of it was undone. */
function fateOf({ valor, estornado, devolvido }: ChargePayment): string[] {
  return [
    ...(devolvido > 0 ? [`devolvidos ${formatMoney(devolvido)}`] : []),
    ...(estornado && valor > 0 ? ['desfeito'] : []),
  ];
}

/** What a payment had beside the amount of the charge. */
function partsInWords({ multa, juros, desconto, dispensado }: ChargePayment): string[] {
  return [
    multa ? `multa ${formatMoney(multa)}` : '',
    juros ? `juros ${formatMoney(juros)}` : '',
    desconto ? `desconto ${formatMoney(desconto)}` : '',
    dispensado ? `dispensados ${formatMoney(dispensado)} de multa e juros` : '',
  ].filter(Boolean);
}

function PaymentFacts({ payment }: { payment: ChargePayment }) {
  const { data, metodo_pagamento, valor } = payment;
  const words = [
    formatDay(data, useToday()),
    methodNames[metodo_pagamento],
    ...partsInWords(payment),
    ...fateOf(payment),
  ];
  return <Facts of={[[words.join(' · '), <Money key="valor" cents={valor} />]]} />;
}

interface PaymentLineProps {
  chargeId: string;
  payment: ChargePayment;
  grantedCredits: boolean;
  /** Opens the refund form; undefined if nothing can be refunded. */
  onRefund: (() => void) | undefined;
}

function PaymentLine({ chargeId, payment, grantedCredits, onRefund }: PaymentLineProps) {
  const { mutateAsync } = useReversePayment(chargeId);
  const pay = usePayCharge(chargeId);
  const { valor, data, metodo_pagamento } = payment;
  const again = () => attempt(() => pay.mutateAsync({ valor, data, metodo_pagamento }), 'Erro ao desfazer');
  const reverse = () =>
    attempt(async () => {
      const { pix_a_decidir } = await mutateAsync(payment.id);
      const undone = grantedCredits
        ? 'A receita foi estornada e os créditos foram removidos.'
        : 'A receita foi estornada.';
      toast.success('Pagamento desfeito', {
        description: pix_a_decidir ? `${undone} O Pix voltou para “Pix a decidir”.` : undone,
        undo: again,
        undone: 'Pagamento registrado de novo',
      });
    }, 'Erro ao desfazer o pagamento');
  return (
    <div>
      <PaymentFacts payment={payment} />
      {!payment.estornado && (
        <div className={classes.actions}>
          <UndoButton
            {...quiet}
            what="Desfazer pagamento"
            of={payment.id}
            price={(signal) =>
              read('GET /charges/:id/payments/:payment/reverse/preview', {
                of: [chargeId, payment.id],
                signal,
              })
            }
            onUndo={reverse}
          />
          {onRefund && (
            <Button {...quiet} onClick={onRefund} leftSection={<Icon name="undo" size={18} />}>
              Devolver ao aluno
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
