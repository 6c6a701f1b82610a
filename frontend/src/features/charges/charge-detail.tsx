import { Button } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type {
  ChargeDetail as Detail,
  ChargePayment,
} from '../../../../backend/modules/charges/charges.api.js';
import { copyText } from '../../lib/clipboard.js';
import { formatDay, formatLongDay } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { formatMoney } from '../../lib/money.js';
import { methodNames } from '../../../../backend/modules/finance/money-words.api.js';
import { Facts } from '../../ui/facts.js';
import { Icon, type IconName } from '../../ui/icon.js';
import { Money } from '../../ui/money.js';
import { Section } from '../../ui/page.js';
import { SheetActions } from '../../ui/sheet.js';
import { attempt, toast } from '../../ui/toast.js';
import { ChangeForm } from './change-form.js';
import { ChargeTag } from './charge-tag.js';
import classes from './charges.module.css';
import { useChargeStep, usePayCharge, usePixAccount, useReversePayment } from './charges.queries.js';
import { copyPixCode } from './copy-pix-code.js';
import { PromiseForm } from './promise-form.js';
import { PayForm } from './pay-form.js';
import { RefundForm } from './refund-form.js';

interface ChargeDetailProps {
  charge: Detail;
  history: ReactNode;
}

export function ChargeDetail({ charge, history }: ChargeDetailProps) {
  const [form, setForm] = useState<'pay' | 'change' | 'promise' | ChargePayment | null>(null);
  const today = useToday();
  const step = useChargeStep(charge.id);
  const isOpen = charge.situacao === 'aberta' || charge.situacao === 'vencida';
  const done = () => setForm(null);

  const cancel = () =>
    attempt(async () => {
      await step.mutateAsync('cancel');
      toast.success('Cobrança cancelada', { undo: restore, undone: 'Cancelamento desfeito' });
    }, 'Erro ao cancelar a cobrança');
  const restore = () => attempt(() => step.mutateAsync('restore'), 'Erro ao desfazer');
  const replace = () =>
    attempt(async () => {
      await step.mutateAsync('link');
      toast.success('Link criado!', { description: 'O link anterior não abre mais.' });
    }, 'Erro ao trocar o link');

  return (
    <div className={classes.detail}>
      <div>
        <ChargeTag {...charge} />
        <div className={classes.detailAmount}>
          <Money cents={isOpen ? charge.falta : charge.valor} />
        </div>
        <Link to={`/alunos/${charge.student_id}`} className={classes.who}>
          {charge.student_nome ?? 'Aluno apagado'}
        </Link>
        <div>{charge.descricao ?? 'Cobrança'}</div>
      </div>
      {form === 'pay' && <PayForm charge={charge} onDone={done} />}
      {form === 'change' && <ChangeForm charge={charge} onDone={done} />}
      {form === 'promise' && <PromiseForm charge={charge} onDone={done} />}
      {form !== null && typeof form === 'object' && (
        <RefundForm charge={charge} payment={form} onDone={done} />
      )}
      {form === null && (
        <>
          <Facts
            of={[
              [
                'Vencimento',
                <span key="vencimento" title={formatLongDay(charge.vencimento)}>
                  {formatDay(charge.vencimento, today)}
                </span>,
              ],
              ['Valor', charge.pago > 0 && isOpen && <Money key="valor" cents={charge.valor} />],
              ['Já pago', charge.pago > 0 && isOpen && <Money key="pago" cents={charge.pago} />],
              ['Plano', charge.plano_nome],
              ['Créditos ao pagar', isOpen && charge.creditos > 0 && String(charge.creditos)],
              ['Créditos', charge.grant_id !== null && 'Já adicionados na renovação'],
              ['Prometeu pagar', isOpen && charge.prometida && formatDay(charge.prometida, today)],
            ]}
          />
          {charge.link && <PaymentLink charge={charge} link={charge.link} />}
          <div className={classes.actions}>
            {isOpen && (
              <Quiet icon="edit" onClick={() => setForm('change')}>
                Alterar
              </Quiet>
            )}
            {isOpen && (
              <Quiet icon="clock" onClick={() => setForm('promise')}>
                Anotar promessa
              </Quiet>
            )}
            {isOpen && (
              <Quiet icon="renew" busy={step.isPending} onClick={() => void replace()}>
                Trocar link
              </Quiet>
            )}
            {isOpen && charge.pago === 0 && (
              <Quiet icon="close" busy={step.isPending} onClick={() => void cancel()}>
                Cancelar cobrança
              </Quiet>
            )}
          </div>
          <Payments charge={charge} onRefund={setForm} />
          <Section title="Histórico">{history}</Section>
          <SheetActions>
            {isOpen && (
              <Button onClick={() => setForm('pay')} leftSection={<Icon name="check" />}>
                Marcar como paga
              </Button>
            )}
            {charge.situacao === 'cancelada' && (
              <Button
                variant="default"
                loading={step.isPending}
                onClick={() => void restore()}
                leftSection={<Icon name="undo" size={18} />}
              >
                Desfazer o cancelamento
              </Button>
            )}
          </SheetActions>
        </>
      )}
    </div>
  );
}

interface QuietProps {
  icon: IconName;
  busy?: boolean;
  onClick: () => void;
  children: string;
}

function Quiet({ icon, busy = false, onClick, children }: QuietProps) {
  return (
    <Button
      size="sm"
      variant="subtle"
      color="gray"
      loading={busy}
      onClick={onClick}
      leftSection={<Icon name={icon} size={18} />}
    >
      {children}
    </Button>
  );
}

function PaymentLink({ charge, link }: { charge: Detail; link: string }) {
  const pix = usePixAccount();
  const { pix: code, provedor } = charge;
  const copy = async () => {
    if (await copyText(link)) toast.success('Link copiado!');
    else toast.error('Não foi possível copiar', { description: 'Selecione o link e copie.' });
  };
  return (
    <Section title="Link de pagamento">
      <div className={classes.pay}>
        <p className={classes.link}>{link}</p>
        {pix.data?.conta === null && (
          <p className={classes.quiet}>
            Sem chave Pix, a página mostra só o valor. <Link to="/ajustes/pix">Cadastrar a chave Pix</Link>
          </p>
        )}
        {provedor?.fez && (
          <p className={classes.quiet}>O código Pix é do seu provedor: o pagamento dá baixa sozinho.</p>
        )}
        {provedor && !provedor.fez && provedor.falha === null && (
          <p className={classes.quiet}>
            O provedor está criando o código. Por enquanto, vale o da sua chave.
          </p>
        )}
        {provedor && provedor.falha !== null && (
          <p className={classes.failed} role="alert">
            {provedor.fez
              ? `Não foi possível consultar o provedor: ${provedor.falha}.`
              : `O provedor não criou o código: ${provedor.falha}. Vale o da sua chave, e tentaremos de novo.`}
          </p>
        )}
        {charge.whatsapp && (
          <Button
            component="a"
            href={charge.whatsapp}
            target="_blank"
            rel="noreferrer"
            variant="light"
            leftSection={<Icon name="chat" size={18} />}
          >
            Enviar pelo WhatsApp
          </Button>
        )}
        <Button variant="default" onClick={() => void copy()} leftSection={<Icon name="copy" size={18} />}>
          Copiar link
        </Button>
        {code && (
          <Button
            variant="default"
            onClick={() => void copyPixCode(code, 'Cole na conversa com o aluno.')}
            leftSection={<Icon name="copy" size={18} />}
          >
            Copiar código Pix
          </Button>
        )}
      </div>
    </Section>
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

interface PaymentLineProps {
  chargeId: string;
  payment: ChargePayment;
  grantedCredits: boolean;
  /** Opens the refund form; undefined if nothing can be refunded. */
  onRefund: (() => void) | undefined;
}

function PaymentLine({ chargeId, payment, grantedCredits, onRefund }: PaymentLineProps) {
  const today = useToday();
  const { mutateAsync, isPending } = useReversePayment(chargeId);
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
      <Facts
        of={[
          [
            [formatDay(payment.data, today), methodNames[payment.metodo_pagamento], ...fateOf(payment)].join(
              ' · ',
            ),
            <Money key="valor" cents={payment.valor} />,
          ],
        ]}
      />
      {!payment.estornado && (
        <div className={classes.actions}>
          <Quiet icon="undo" busy={isPending} onClick={() => void reverse()}>
            Desfazer pagamento
          </Quiet>
          {onRefund && (
            <Quiet icon="undo" onClick={onRefund}>
              Devolver ao aluno
            </Quiet>
          )}
        </div>
      )}
    </div>
  );
}
