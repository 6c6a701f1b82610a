import { plural } from '../../../../backend/platform/plural.api.js';
import { chargeAddress, RECEIPT } from '../../lib/charge-address.js';
import { Button, NativeSelect } from '@mantine/core';
import { useSearchParams } from 'react-router-dom';
import { addMonths, formatMonth, type Moment, type Month, monthOf } from '../../lib/dates.js';
import { useToday } from '../../lib/zone.js';
import { inPast, useMoment } from '../../lib/moment.js';
import { usePlanChoices } from '../../parts/plan-choices.js';
import { ASK_PAST } from '../../ui/ask-past.js';
import { Card } from '../../ui/card.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { PageChoice } from '../../ui/page-choice.js';
import { Page, Section } from '../../ui/page.js';
import { Beyond, isBeyond, Past } from '../../ui/past.js';
import { Quiet } from '../../ui/quiet.js';
import { Sheet } from '../../ui/sheet.js';
import { Async, Skeletons } from '../../ui/states.js';
import { ChargeDetail, PastCharge } from './charge-detail.js';
import { ChargeForm } from './charge-form.js';
import { ChargeRow } from './charge-row.js';
import classes from './charges.module.css';
import { PastReceivables, Receivables } from './receivables.js';
import { type Situation, useCharge, useCharges } from './charges.queries.js';

const situations: readonly { value: Situation; label: string }[] = [
  { value: 'a_receber', label: 'A receber' },
  { value: 'vencida', label: 'Vencidas' },
  { value: 'paga', label: 'Pagas' },
  { value: 'cancelada', label: 'Canceladas' },
  { value: 'a_devolver', label: 'A devolver' },
];

const titles: Record<Situation, string> = {
  a_receber: 'Cobranças em aberto',
  vencida: 'Cobranças vencidas',
  paga: 'Cobranças pagas',
  cancelada: 'Cobranças canceladas',
  a_devolver: 'Pagamentos a devolver',
};

const empty: Record<Situation, string> = {
  a_receber: 'Nenhuma cobrança em aberto',
  vencida: 'Nenhuma cobrança vencida',
  paga: 'Nenhuma cobrança paga',
  cancelada: 'Nenhuma cobrança cancelada',
  a_devolver: 'Nenhum pagamento a devolver',
};

/** Charges per page; few, so that the sections below stay in reach. */
const PAGE = 15;
/** Offered months of due dates. */
const MONTHS_BACK = 24;
const MONTHS_AHEAD = 3;

/** The page of charges. The address holds filters and the open sheet. */
export default function ChargesPage() {
  const plans = usePlanChoices().data?.items.filter(({ is_active, valor }) => is_active && valor > 0);
  const [search, setSearch] = useSearchParams();
  const asked = search.get('situacao');
  const situacao = situations.find(({ value }) => value === asked)?.value ?? 'a_receber';
  const mes = /^\d{4}-\d{2}$/.exec(search.get('mes') ?? '')?.[0];
  const time = useMoment();
  const { moment } = time;
  const charges = useCharges({ situacao, limit: PAGE, at: moment?.at, ...(mes && { mes }) });
  const total = charges.data?.pages[0] as
    | { total?: { quantidade: number; valor: number; falta: number } }
    | undefined;
  const shown = search.get('cobranca');
  const isNew = search.get('novo') === 'cobranca';

  const change = (values: Record<string, string | null>, replace = false) =>
    setSearch(
      (current) => {
        for (const [name, value] of Object.entries(values)) {
          if (value === null) current.delete(name);
          else current.set(name, value);
        }
        return current;
      },
      { replace },
    );
  const nothing = {
    novo: null,
    cobranca: null,
    aluno: null,
    plano: null,
    sessao: null,
    valor: null,
    texto: null,
    [RECEIPT]: null,
  };

  const past = <Past what="Lista de cobranças" {...time} />;
  if (moment && isBeyond(charges.error))
    return (
      <Page title="Cobranças" back="/financeiro">
        {past}
        <Beyond error={charges.error} />
      </Page>
    );

  return (
    <Page
      title="Cobranças"
      back={inPast('/financeiro', moment)}
      action={
        !moment && (
          <Button size="sm" onClick={() => change({ novo: 'cobranca' })}>
            Cobrar
          </Button>
        )
      }
    >
      {past}
      <PageChoice
        fullWidth
        aria-label="Situação"
        classNames={{ label: classes.segment }}
        value={situacao}
        // What goes back is rare: a chip leads to it.
        data={situations.filter(({ value }) => value !== 'a_devolver' || value === situacao)}
        onChange={(value) => change({ situacao: value }, true)}
      />
      {total?.total &&
        total.total.quantidade > 0 &&
        situacao !== 'a_devolver' &&
        (situacao !== 'a_receber' || mes) && (
          <p className={classes.totals}>
            <Money
              cents={situacao === 'paga' || situacao === 'cancelada' ? total.total.valor : total.total.falta}
            />
            <span>{plural(total.total.quantidade, 'cobrança', 'cobranças')}</span>
          </p>
        )}
      {situacao === 'a_receber' &&
        !mes &&
        (moment ? (
          <PastReceivables moment={moment} />
        ) : (
          <Receivables
            list={shown === null && !isNew ? search.get('ver') : null}
            onClose={() => change({ ver: null }, true)}
          />
        ))}
      <Section
        title={titles[situacao]}
        action={
          <DueMonth
            chosen={mes}
            onChoose={(value) => change({ mes: value }, true)}
            onPast={moment ? undefined : () => time.onAsk(true)}
          />
        }
      >
        <InfiniteList
          of={charges}
          manual
          failure="Erro ao carregar cobranças"
          skeleton={<Skeletons count={4} />}
          empty={
            <Card>
              <Notice icon="wallet" title={empty[situacao]}>
                {situacao === 'a_receber' &&
                  !moment &&
                  'Cobre um plano, uma sessão ou outro valor e envie o link de pagamento pelo WhatsApp.'}
              </Notice>
            </Card>
          }
        >
          {(items) => (
            <>
              {items.some(({ falta, hoje }) => hoje.total !== falta) && (
                <Quiet size="xs">Cobranças com a multa, os juros e o desconto do dia; total sem eles.</Quiet>
              )}
              <Card flush>
                {items.map((item) => (
                  <ChargeRow
                    key={item.id}
                    charge={item}
                    moment={moment}
                    to={`${chargeAddress(item.id)}&situacao=${situacao}${mes ? `&mes=${mes}` : ''}`}
                  />
                ))}
              </Card>
            </>
          )}
        </InfiniteList>
      </Section>
      <Sheet opened={isNew} onClose={() => change(nothing, true)} title="Cobrança Online" beginsAtField>
        {isNew && plans && (
          <ChargeForm
            begun={{
              student: search.get('aluno') ?? '',
              plan: search.get('plano') ?? '',
              session: search.get('sessao'),
              valor: Number(search.get('valor')) || null,
              descricao: search.get('texto') ?? '',
            }}
            plans={plans}
            onIssued={(id) => change({ ...nothing, situacao: null, cobranca: id }, true)}
          />
        )}
      </Sheet>
      <Sheet opened={shown !== null && !isNew} onClose={() => change(nothing, true)} title="Cobrança">
        {shown && <Shown id={shown} moment={moment} />}
      </Sheet>
    </Page>
  );
}

interface DueMonthProps {
  chosen: Month | undefined;
  onChoose: (month: Month | null) => void;
  /** Asks for a past moment; undefined where one is shown. */
  onPast: (() => void) | undefined;
}

const PAST = 'past';

/** Chooses the month of the due dates, or another moment. */
function DueMonth({ chosen, onChoose, onPast }: DueMonthProps) {
  const today = useToday();
  const offered = Array.from({ length: MONTHS_BACK + MONTHS_AHEAD + 1 }, (_, index) =>
    monthOf(addMonths(today, MONTHS_AHEAD - index)),
  );
  const months = !chosen || offered.includes(chosen) ? offered : [chosen, ...offered];
  return (
    <NativeSelect
      aria-label="Mês do vencimento"
      size="sm"
      value={chosen ?? ''}
      onChange={({ currentTarget }) =>
        currentTarget.value === PAST ? onPast?.() : onChoose(currentTarget.value || null)
      }
      data={[
        { value: '', label: 'Todos os meses' },
        ...months.map((month) => ({
          value: month,
          label: `${formatMonth(month)} de ${month.slice(0, 4)}`,
        })),
        ...(onPast ? [{ value: PAST, label: ASK_PAST }] : []),
      ]}
    />
  );
}

function Shown({ id, moment }: { id: string; moment: Moment | null }) {
  const charge = useCharge(id, moment?.at);
  if (isBeyond(charge.error)) return <Beyond error={charge.error} />;
  return (
    <Async of={charge} failure="Erro ao carregar a cobrança" skeleton={<Skeletons count={3} height={72} />}>
      {(known) => (moment ? <PastCharge charge={known} moment={moment} /> : <ChargeDetail charge={known} />)}
    </Async>
  );
}
