import { NativeSelect, Switch, TextInput } from '@mantine/core';
import '@mantine/core/styles/Switch.layer.css';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { useAnswer } from '../../lib/answer.js';
import { MOST_STUDENTS, type Outcome, type WhatIf } from '../../../../backend/modules/what-if/what-if.api.js';
import { policyTerms, type PolicyTerms } from '../../../../backend/modules/policies/policies.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { read } from '../../lib/calls.js';
import { addDays, formatDate, formatMonth, monthOf, parseDate, parseTime } from '../../lib/dates.js';
import { formatAmount, parseMoney } from '../../lib/money.js';
import { numberOf } from '../../lib/number.js';
import { reads } from '../../lib/topics.js';
import { useToday } from '../../lib/zone.js';
import { usePlanChoices } from '../../parts/plan-choices.js';
import { StudentsField } from '../../parts/students-field.js';
import { Card } from '../../ui/card.js';
import { ChoiceChip, ChoiceChips } from '../../ui/choice-chip.js';
import { DateField } from '../../ui/date-field.js';
import { MoneyField } from '../../ui/fields.js';
import { FieldPair } from '../../ui/form.js';
import { Money } from '../../ui/money.js';
import { Notice } from '../../ui/notice.js';
import { Page, Section } from '../../ui/page.js';
import { Quiet } from '../../ui/quiet.js';
import { Row } from '../../ui/row.js';
import { Async, Skeletons } from '../../ui/states.js';
import { TimeField } from '../../ui/time-field.js';
import { Weekdays } from '../../ui/weekdays.js';
import classes from './what-if.module.css';

const WHAT_IF = reads('what-if', ['charges', 'sessions', 'students', 'plans']);

const RULES = reads('rules', ['policies', 'locations']);
const isSameRule = (one: PolicyTerms, other: PolicyTerms) =>
  one.cancel_limite_horas === other.cancel_limite_horas &&
  one.taxa_percent === other.taxa_percent &&
  one.queima_credito === other.queima_credito;

/** What can be different, by its name in the address. */
const scenarios = {
  preco: ['Preço', Price],
  regra: ['Regra', Rule],
  horario: ['Horário', Hours],
  ferias: ['Férias', Vacation],
  alunos: ['Alunos', Students],
} as const;
type Scenario = keyof typeof scenarios;

/** "E se…": what would be different with another price, other rules or hours, a vacation, or without some students. */
export default function WhatIfPage() {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('se') ?? '';
  const chosen: Scenario = asked in scenarios ? (asked as Scenario) : 'preco';
  const [, Form] = scenarios[chosen];
  return (
    <Page title="E se…" subtitle="Só uma conta: nada muda" back="/financeiro" width="narrow">
      <ChoiceChips label="O que mudaria">
        {Object.entries(scenarios).map(([name, [label]]) => (
          <ChoiceChip
            key={name}
            aria-pressed={name === chosen}
            onClick={() => setSearch({ se: name }, { replace: true })}
          >
            {label}
          </ChoiceChip>
        ))}
      </ChoiceChips>
      <Form key={chosen} />
    </Page>
  );
}

const TYPING_PAUSE_MS = 300;

interface TriedProps<Asked> {
  /** What is asked; undefined while the fields do not say it. */
  asked: Asked | undefined;
  ask: (asked: Asked, signal: AbortSignal) => Promise<WhatIf>;
  /** What the fields still need. */
  missing: string;
  /** What is counted for each student. */
  counts: readonly [one: string, other: string];
  children: ReactNode;
}

/** The fields, and what would be different by them. */
function Tried<Asked>({ asked, ask, missing, counts, children }: TriedProps<Asked>) {
  const [settled] = useDebouncedValue(asked, TYPING_PAUSE_MS);
  const answer = useQuery({
    queryKey: [WHAT_IF, settled],
    queryFn: ({ signal }) => ask(settled!, signal),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <Card fields>{children}</Card>
      {asked === undefined ? (
        <Card>
          <Notice icon="grow" title={missing} />
        </Card>
      ) : (
        <Async of={answer} skeleton={<Skeletons count={2} height={120} />}>
          {(found) => <Answer of={found} counts={counts} />}
        </Async>
      )}
    </>
  );
}

interface AnswerProps extends Pick<TriedProps<never>, 'counts'> {
  of: WhatIf;
}

function Answer({ of: { passado, futuro, alunos, resto, notas }, counts }: AnswerProps) {
  return (
    <>
      {passado && <Told of={passado} title={`De ${formatDate(passado.de)} a ${formatDate(passado.ate)}`} />}
      {futuro && <Told of={futuro} title={`De ${formatDate(futuro.de)} a ${formatDate(futuro.ate)}`} />}
      {alunos.length > 0 && (
        <Section title={passado && futuro ? 'Por aluno, nos dois períodos' : 'Por aluno'}>
          <Card flush>
            {alunos.map(({ id, nome, valor, quantidade }) => (
              <Row
                key={id}
                {...(nome !== null && { to: `/alunos/${id}` })}
                title={nome ?? 'Aluno apagado'}
                facts={plural(quantidade, ...counts)}
                trail={valor === 0 ? '—' : <Money cents={valor} signed />}
              />
            ))}
          </Card>
          {resto > 0 && <Quiet>{`E mais ${plural(resto, 'aluno', 'alunos')}.`}</Quiet>}
        </Section>
      )}
      {notas.map((nota) => (
        <Quiet key={nota}>{nota}</Quiet>
      ))}
    </>
  );
}

function Told({ of: { texto, meses }, title }: { of: Outcome; title: string }) {
  return (
    <Section title={title}>
      <Card flush>
        <p className={classes.told} role="status">
          {texto}
        </p>
        {meses.length > 1 &&
          meses.map(({ mes, valor }) => (
            <Row key={mes} title={formatMonth(monthOf(mes))} trail={<Money cents={valor} signed />} />
          ))}
      </Card>
    </Section>
  );
}

function Price() {
  const [search] = useSearchParams();
  const known = usePlanChoices().data?.items;
  const plans = known ?? [];
  const [id, setId] = useState(search.get('plano') ?? '');
  const [typed, setTyped] = useState<{ valor: string; creditos: string } | null>(null);
  const plan = plans.find((one) => one.id === id);
  const { valor = '', creditos = '' } =
    typed ?? (plan ? { valor: formatAmount(plan.valor), creditos: String(plan.creditos) } : {});
  const cents = parseMoney(valor);
  const credits = numberOf(creditos);
  const isSame = plan?.valor === cents && plan?.creditos === credits;
  const isReady = plan && cents !== null && credits !== undefined && Number.isInteger(credits) && !isSame;
  const type = (part: Partial<NonNullable<typeof typed>>) => setTyped({ valor, creditos, ...part });
  return (
    <Tried
      asked={isReady ? { id, query: { valor: cents, creditos: credits } } : undefined}
      ask={({ id: of, query }, signal) => read('GET /what-if/plans/:id', { of: [of], query, signal })}
      counts={['cobrança', 'cobranças']}
      missing={
        plan
          ? 'Mude o preço ou os créditos'
          : known?.length === 0
            ? 'Cadastre um plano para fazer esta conta'
            : 'Escolha um plano'
      }
    >
      <NativeSelect
        label="Plano"
        value={id}
        onChange={(event) => {
          setId(event.currentTarget.value);
          setTyped(null);
        }}
        data={[
          { value: '', label: 'Escolha' },
          ...plans.map((one) => ({ value: one.id, label: `${one.nome} · R$ ${formatAmount(one.valor)}` })),
        ]}
      />
      {plan && (
        <FieldPair>
          <MoneyField label="E se custasse" value={valor} onChange={(text) => type({ valor: text })} />
          <TextInput
            label="Créditos"
            inputMode="numeric"
            value={creditos}
            onChange={(event) => type({ creditos: event.currentTarget.value })}
          />
        </FieldPair>
      )}
    </Tried>
  );
}

/** Begins with the terms in force, or with usual ones where the places have different ones. */
function Rule() {
  const known = useAnswer([RULES], 'GET /policies', { query: {} }).data?.items;
  const own = known?.every((rule) => isSameRule(rule, known[0]!)) ? known[0] : undefined;
  const [typed, setTyped] = useState<{ hours?: string; percent?: string; burns?: boolean }>({});
  const {
    hours = String(own?.cancel_limite_horas ?? 24),
    percent = String(own?.taxa_percent ?? 50),
    burns = own?.queima_credito ?? true,
  } = typed;
  const type = (part: typeof typed) => setTyped({ ...typed, ...part });
  const terms = policyTerms.safeParse({
    cancel_limite_horas: numberOf(hours),
    taxa_percent: numberOf(percent),
    queima_credito: burns,
  }).data;
  const isSame = terms !== undefined && own !== undefined && isSameRule(terms, own);
  return (
    <Tried
      asked={
        terms && !isSame
          ? { ...terms, queima_credito: burns ? ('sim' as const) : ('nao' as const) }
          : undefined
      }
      ask={(query, signal) => read('GET /what-if/policy', { query, signal })}
      counts={['cancelamento ou falta', 'cancelamentos e faltas']}
      missing={isSame ? 'É a regra de hoje: mude o prazo, a taxa ou o crédito' : 'Informe o prazo e a taxa'}
    >
      <FieldPair>
        <TextInput
          label="Prazo (horas antes)"
          inputMode="numeric"
          value={hours}
          onChange={(event) => type({ hours: event.currentTarget.value })}
        />
        <TextInput
          label="Taxa (% da sessão)"
          inputMode="numeric"
          value={percent}
          onChange={(event) => type({ percent: event.currentTarget.value })}
        />
      </FieldPair>
      <Switch
        label="Desconta 1 crédito"
        checked={burns}
        onChange={(event) => type({ burns: event.currentTarget.checked })}
      />
    </Tried>
  );
}

function Hours() {
  const [days, setDays] = useState<readonly number[]>([6]);
  const [[from, until], setTimes] = useState(['00:00', '23:59']);
  const [inicio, fim] = [parseTime(from), parseTime(until)];
  const isReady = inicio !== null && fim !== null && inicio < fim;
  return (
    <Tried
      asked={isReady ? { dias: days.join(','), inicio, fim } : undefined}
      ask={(query, signal) => read('GET /what-if/hours', { query, signal })}
      counts={['sessão', 'sessões']}
      missing="Informe das quantas às quantas"
    >
      <Quiet>E se eu não atendesse:</Quiet>
      <Weekdays days={days} onChange={setDays} />
      <FieldPair>
        <TimeField label="Das" value={from} onChange={(time) => setTimes([time, until])} />
        <TimeField label="Às" value={until} onChange={(time) => setTimes([from, time])} />
      </FieldPair>
    </Tried>
  );
}

function Vacation() {
  const today = useToday();
  const [first, setFirst] = useState(formatDate(addDays(today, 7)));
  const [last, setLast] = useState(formatDate(addDays(today, 13)));
  const [start_date, end_date] = [parseDate(first), parseDate(last)];
  const isReady = start_date !== null && end_date !== null && start_date <= end_date;
  return (
    <Tried
      asked={isReady ? { start_date, end_date } : undefined}
      ask={(query, signal) => read('GET /what-if/vacation', { query, signal })}
      counts={['sessão', 'sessões']}
      missing="Informe do dia em que começa ao dia em que termina"
    >
      <FieldPair>
        <DateField label="De" value={first} onChange={setFirst} />
        <DateField label="Até" value={last} onChange={setLast} />
      </FieldPair>
    </Tried>
  );
}

function Students() {
  const [ids, setIds] = useState<readonly string[]>([]);
  const isReady = ids.length > 0 && ids.length <= MOST_STUDENTS;
  return (
    <Tried
      asked={isReady ? { alunos: ids.join(',') } : undefined}
      ask={(query, signal) => read('GET /what-if/students', { query, signal })}
      counts={['valor previsto', 'valores previstos']}
      missing={ids.length === 0 ? 'Escolha quem sairia' : `Escolha até ${MOST_STUDENTS} alunos`}
    >
      <StudentsField label="Quem sairia" value={ids} onChange={setIds} />
    </Tried>
  );
}
