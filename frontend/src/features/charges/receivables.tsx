import { plural, wordFor } from '../../../../backend/platform/plural.api.js';
import { chargeAddress } from '../../lib/charge-address.js';
import type { UndecidedPix } from '../../../../backend/modules/charges/pix-notices.api.js';
import type { Age, Reminder } from '../../../../backend/modules/charges/receivables.api.js';
import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useSend, useSendTo } from '../../lib/command.js';
import { formatDay, formatLongDay, type Moment } from '../../lib/dates.js';
import { inPast } from '../../lib/moment.js';
import { formatMoney } from '../../lib/money.js';
import { onceOpened } from '../../ui/open-whatsapp.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { ChipLine, LinkChip } from '../../ui/chip.js';
import { Folded } from '../../ui/folded.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Section } from '../../ui/page.js';
import type { WhyOf } from '../../parts/why.js';
import { WhySheet } from '../../parts/why-sheet.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { attempt, takenBack, toast } from '../../ui/toast.js';
import classes from './charges.module.css';
import { useDebtors, useReceivables, useReminders, useUndecidedPix } from './receivables.queries.js';

const ages: Record<Age, string> = {
  a_vencer: 'A vencer',
  hoje: 'Vence hoje',
  ate_7: 'Vencidas há 1 a 7 dias',
  ate_30: 'Vencidas há 8 a 30 dias',
  mais: 'Vencidas há mais de 30 dias',
};

const REMINDERS = 'lembretes';
const DEBTORS = 'devedores';

interface ReceivablesProps {
  /** The list over the page that the address names. */
  list: string | null;
  onClose: () => void;
}

/**
 * Arrived Pix without a charge, open amounts by age, and behind chips the same charges as reminders to send and by student: as a
 * list they are on the page once.
 */
export function Receivables({ list, onClose }: ReceivablesProps) {
  const reminders = useReminders().data?.items ?? [];
  const { alunos = 0 } = useReceivables().data ?? {};
  return (
    <>
      <Undecided />
      <Ages empty={null} />
      <ChipLine label="Em aberto">
        {reminders.length > 0 && (
          <LinkChip to={`/cobrancas?ver=${REMINDERS}`} figure={String(reminders.length)}>
            {wordFor(reminders.length, 'lembrete de hoje', 'lembretes de hoje')}
          </LinkChip>
        )}
        {alunos > 0 && (
          <LinkChip to={`/cobrancas?ver=${DEBTORS}`} figure={String(alunos)}>
            {wordFor(alunos, 'aluno deve', 'alunos devem')}
          </LinkChip>
        )}
      </ChipLine>
      <Sheet opened={list === REMINDERS} onClose={onClose} title="Lembretes de hoje">
        <Queue of={reminders} />
      </Sheet>
      <Sheet opened={list === DEBTORS} onClose={onClose} title="Quem deve">
        <Debtors />
      </Sheet>
    </>
  );
}

/** Open amounts by age and by student, as they were. */
export function PastReceivables({ moment }: { moment: Moment }) {
  const { at } = moment;
  const { data } = useReceivables(at);
  return (
    <>
      <Ages
        at={at}
        empty={
          <Card>
            <Notice icon="wallet" title="Nada a receber nesse momento" />
          </Card>
        }
      />
      {data && data.alunos > 0 && (
        <Section title="Quem deve">
          <Debtors moment={moment} />
        </Section>
      )}
    </>
  );
}

function Ages({ at, empty }: { at?: string; empty: ReactNode }) {
  return (
    <Async
      of={useReceivables(at)}
      failure="Erro ao carregar cobranças"
      skeleton={<Skeletons count={1} height={124} />}
    >
      {({ falta, vencido, faixas }) =>
        falta === 0 ? (
          empty
        ) : (
          <Card>
            <p className={classes.totals}>
              <Money cents={falta} />
              <span>{vencido > 0 ? `${formatMoney(vencido)} vencidos` : 'nada vencido'}</span>
            </p>
            <Folded title="A receber por vencimento">
              <dl className={classes.ages}>
                {faixas
                  .filter(({ quantidade }) => quantidade > 0)
                  .map((each) => (
                    <div key={each.faixa}>
                      <dt>
                        {ages[each.faixa]} · {plural(each.quantidade, 'cobrança', 'cobranças')}
                      </dt>
                      <dd>
                        <Money cents={each.falta} />
                      </dd>
                    </div>
                  ))}
              </dl>
              <WithoutTerms />
            </Folded>
          </Card>
        )
      }
    </Async>
  );
}

/** Sums are of what was agreed; each charge in a list shows what it comes to on the day. */
const WithoutTerms = () => <Quiet size="xs">Sem a multa, os juros e o desconto do dia.</Quiet>;

function Debtors({ moment }: { moment?: Moment }) {
  const today = useToday();
  const debtors = useDebtors(moment?.at);
  return (
    <>
      {debtors.data?.pages.some(({ items }) => items.length > 0) && <WithoutTerms />}
      <Card flush>
        <InfiniteList of={debtors} manual empty={<Notice icon="check" title="Ninguém deve" />}>
          {(items) =>
            items.map(({ id, nome, quantidade, falta, vencido, desde }) => (
              <Row
                key={id}
                to={inPast(`/alunos/${id}`, moment)}
                title={nome ?? 'Aluno apagado'}
                facts={
                  <span title={formatLongDay(desde)}>
                    {plural(quantidade, 'cobrança', 'cobranças')} · {quantidade > 1 && 'a primeira '}
                    {vencido > 0 ? 'venceu' : 'vence'} {formatDay(desde, today)}
                  </span>
                }
                trail={<Money cents={falta} strong />}
              />
            ))
          }
        </InfiniteList>
      </Card>
    </>
  );
}

/** The day's prepared reminders; one that was opened leaves the list. */
const Queue = ({ of }: { of: readonly Reminder[] }) => (
  <Card flush>
    {of.length === 0 && <Notice icon="check" title="Nenhum lembrete para enviar" />}
    {of.map((item) => (
      <ReminderRow key={item.id} reminder={item} />
    ))}
  </Card>
);

function ReminderRow({ reminder }: { reminder: Reminder }) {
  const today = useToday();
  const note = useSendTo('POST /charges/:id/reminders');
  const { id, student_nome, falta, vencimento, whatsapp } = reminder;
  const sent = () =>
    void attempt(async () => {
      await note.mutateAsync(id);
      toast.success('Lembrete aberto no WhatsApp', { description: 'Ficou anotado no histórico.' });
    }, 'Erro ao anotar o lembrete');
  return (
    <Row
      to={`${chargeAddress(id)}&ver=${REMINDERS}`}
      title={student_nome}
      facts={
        <span title={formatLongDay(vencimento)}>
          {vencimento < today ? 'venceu' : 'vence'} {formatDay(vencimento, today)} · {formatMoney(falta)}
        </span>
      }
      actions={
        whatsapp && (
          <Button
            component="a"
            href={whatsapp}
            target="_blank"
            rel="noreferrer"
            size="sm"
            variant="light"
            aria-label={`Lembrar ${student_nome} pelo WhatsApp`}
            onClick={onceOpened(sent)}
            leftSection={<Icon name="chat" size={18} />}
          >
            Lembrar
          </Button>
        )
      }
    />
  );
}

/** Arrived Pix that no charge took. */
function Undecided() {
  const arrived = useUndecidedPix();
  const [asked, ask] = useState<WhyOf>();
  if (!arrived.data?.pages[0]?.items.length) return null;
  return (
    <Section title="Pix a decidir">
      <Quiet size="xs">Não contam no recebido até você decidir o que são.</Quiet>
      <Card flush>
        <InfiniteList of={arrived} manual empty={null}>
          {(items) => items.map((item) => <UndecidedRow key={item.id} pix={item} onAsk={ask} />)}
        </InfiniteList>
      </Card>
      {asked && <WhySheet of={asked} isOwn={false} onClose={() => ask(undefined)} />}
    </Section>
  );
}

function reasonOf({ charge_id, paga_cobranca, da_reserva }: UndecidedPix): string | false {
  if (da_reserva) return 'Chegou depois do prazo da reserva, que já não vale: devolva';
  if (charge_id === null) return false;
  return paga_cobranca ? 'a cobrança está em aberto' : 'acima do que faltava pagar, ou de cobrança cancelada';
}

function UndecidedRow({ pix, onAsk }: { pix: UndecidedPix; onAsk: (of: WhyOf) => void }) {
  const today = useToday();
  const { mutateAsync, isPending } = useSend('POST /arrived-pix/:id/decide', pix.id);
  const reopen = useSend('POST /arrived-pix/:id/reopen', pix.id);
  const payCharge = () =>
    void attempt(async () => {
      await mutateAsync({ decisao: 'cobranca' });
      toast.success('Pagamento registrado', { description: 'Para desfazer, abra a cobrança.' });
    }, 'Erro ao dar baixa na cobrança');
  const decide = (decisao: 'receita' | 'fora') =>
    void attempt(async () => {
      await mutateAsync({ decisao });
      toast.success(
        decisao === 'receita' ? 'Pix registrado como receita' : 'Pix fora das receitas',
        takenBack(() => reopen.mutateAsync(), 'Pix de volta em “Pix a decidir”'),
      );
    }, 'Erro ao decidir o Pix');
  return (
    <div className={classes.undecided}>
      <Row
        onClick={() => onAsk(`pix:${pix.id}`)}
        title={pix.student_nome ?? 'Pix sem cobrança'}
        facts={[`Chegou ${formatDay(pix.data, today)}`, pix.descricao, reasonOf(pix)]
          .filter(Boolean)
          .join(' · ')}
        trail={<Money cents={pix.valor} strong />}
      />
      <div className={classes.choices}>
        {pix.paga_cobranca && (
          <Button size="sm" variant="light" loading={isPending} onClick={payCharge}>
            Dar baixa na cobrança
          </Button>
        )}
        <Button
          size="sm"
          variant={pix.paga_cobranca ? 'default' : 'light'}
          loading={isPending}
          onClick={() => decide('receita')}
        >
          Registrar como receita
        </Button>
        <Button size="sm" variant="default" loading={isPending} onClick={() => decide('fora')}>
          {pix.da_reserva ? 'Devolvi' : 'Não é receita'}
        </Button>
      </div>
    </div>
  );
}
