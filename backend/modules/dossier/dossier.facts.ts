import { plural } from '../../platform/plural.api.js';
import { brl, dateFormat, shortDate } from '../../platform/portuguese.js';
import { inTurns } from '../../platform/turns.js';
import { deviceName } from '../accounts/device.js';
import { noticeInWords } from '../agenda/cancellation.api.js';
import type { ChargeEvent } from '../charges/charge.js';
import type { ContractInForce } from '../contracts/contracts-in-force.queries.js';
import type { SignatureRequestEvent } from '../contracts/signature-request.js';
import { lineKinds, type StatementLine } from '../credits/credits.api.js';
import type { ExpiryWarningEvent } from '../expiry-warnings/expiry-warning.js';
import type { PaymentMethod } from '../finance/finance.api.js';
import { methodNames } from '../finance/money-words.api.js';
import type { NudgeEvent } from '../nudges/nudge.js';
import { defaultPolicy, type PolicyTerms } from '../policies/policies.api.js';
import { termsInWords } from '../policies/cancellation-policy.js';
import type { ReceiptEvent } from '../receipts/receipt.js';
import type { ReminderEvent } from '../reminders/reminder.js';
import type { SessionEvent } from '../sessions/session.js';
import type { SessionRequestEvent } from '../student-area/session-request.js';
import type { WhatsAppAnswerEvent } from '../whatsapp/whatsapp-answer.js';
import type { MessageAbout, WhatsAppMessageEvent } from '../whatsapp/whatsapp-message.js';

/** An event of the history, as a dossier takes it. */
export interface PastEvent {
  position: number;
  type: string;
  data: unknown;
  recorded_at: Date;
  /** `session:{id}`; the student's where it is about nothing else. */
  subject: string;
  /** Who recorded it: a user, a student, or the tenant itself. */
  by: string | null;
  user_agent: string | null;
}

export interface DossierRows {
  /** `nome`: null once the student is forgotten. `eles`: the ids under which the student acts. */
  person: { nome: string | null; personal: string | null; eles: readonly string[] };
  contracts: readonly ContractInForce[];
  sessions: readonly {
    id: string;
    inicio: Date;
    status: string;
    deleted: boolean;
    credito: string;
    /** Cents. */
    taxa: number;
    location_id: string | null;
    local: string | null;
  }[];
  /** The whole account, oldest first. */
  lines: readonly StatementLine[];
  charges: readonly {
    id: string;
    descricao: string | null;
    valor: number;
    pago: number;
    vencimento: string;
    status: string;
  }[];
  payments: readonly {
    id: string;
    data: string;
    valor: number;
    metodo_pagamento: string;
    descricao: string | null;
    recibo: number | null;
    charge_id: string | null;
    estornado_em: Date | null;
  }[];
  /** Oldest first. */
  events: readonly PastEvent[];
}

export interface DossierScope {
  zone: string;
  from: Date;
  to: Date;
  now: Date;
  today: string;
  tenantId: string;
  /** The trainer's. */
  userId: string;
  /** The words of the history; `of`: the entity in whose own history the line stands. */
  words: (event: PastEvent, of?: string) => string;
}

/** A record of the log. */
export interface SourceRecord {
  posicao: number;
  /** Null for one that the history has no line of: the fact itself says it. */
  dito: { em: string; quem: string; aparelho: string | null; texto: string } | null;
}

/** A dossier in words. The first cell of each row is the number of its fact. */
export interface DossierFacts {
  contratos: readonly {
    n: number;
    titulo: string | null;
    versao: number;
    assinado_em: string;
    desistiu: boolean;
    fatos: readonly (readonly [label: string, value: string])[];
    clausula: string | null;
  }[];
  regras: readonly (readonly string[])[];
  /** When the student was shown the rules. */
  mostrada: readonly string[];
  sessoes: { linhas: readonly (readonly string[])[]; resumo: string; canceladas: number };
  /** Balance before the first line and after the last one. */
  creditos: { abertura: number; linhas: readonly (readonly string[])[]; fechamento: number };
  cobrancas: { linhas: readonly (readonly string[])[]; valor: number; pago: number; aberto: number };
  pagamentos: { linhas: readonly (readonly string[])[]; recebido: number };
  mensagens: readonly (readonly string[])[];
  fontes: readonly { n: number; registros: readonly SourceRecord[] }[];
}

const named = <Type extends string>(...types: Type[]): ReadonlySet<string> => new Set(types);

const IN_AGENDA = named<(SessionEvent | SessionRequestEvent)['type']>(
  ...([
    'SessionBooked',
    'SessionGrouped',
    'SessionRescheduled',
    'SessionChanged',
    'SessionCompleted',
  ] as const),
  ...(['SessionReopened', 'SessionCancelled', 'SessionDeleted', 'SessionRestored'] as const),
  ...(['SessionChangeRequested', 'SessionRequestWithdrawn', 'SessionRequestGranted'] as const),
  'SessionRequestRefused',
);
type WhatsAppEvent = WhatsAppMessageEvent | WhatsAppAnswerEvent;
const REMINDERS: Readonly<Record<(ReminderEvent | WhatsAppEvent)['type'], string>> = {
  ReminderPrepared: 'e-mail',
  ReminderSent: 'WhatsApp',
  ReminderUnsent: 'envio desfeito',
  ReminderConfirmed: 'confirmou',
  // The history has only one of which it is not known whether it was sent, and of reports what became of it.
  WhatsAppMessageSent: 'talvez enviado',
  WhatsAppMessageReported: '',
  WhatsAppAnswered: 'respondeu',
};
const REPORTED: Readonly<
  Record<Extract<WhatsAppMessageEvent, { type: 'WhatsAppMessageReported' }>['data']['estado'], string>
> = { enviada: 'enviado', entregue: 'entregue', lida: 'lido', falhou: 'não entregue' };
/** What most sessions have, so that it is short. */
const SHORT: Readonly<Record<string, string>> = {
  SessionBooked: 'agendou',
  SessionCompleted: 'concluiu',
  ReminderPrepared: 'enviou o lembrete por e-mail',
  ReminderSent: 'enviou o lembrete por WhatsApp',
  ReminderConfirmed: 'confirmou a presença',
} satisfies Partial<Record<(SessionEvent | ReminderEvent)['type'], string>>;
const OF_CHARGE = named<ChargeEvent['type']>(
  ...(['ChargeIssued', 'ChargeChanged', 'ChargeCancelled', 'ChargeRestored', 'ChargePaid'] as const),
  ...(['ChargePaymentReversed', 'ChargeRefunded', 'ChargePromised', 'ChargeGrantLinked'] as const),
);
const MESSAGES = named<
  (
    | SignatureRequestEvent
    | ChargeEvent
    | ReceiptEvent
    | ExpiryWarningEvent
    | SessionRequestEvent
    | NudgeEvent
    | WhatsAppEvent
  )['type']
>(
  ...(['ContractSent', 'ContractReminded', 'ContractOpened', 'ContractCodeSent', 'ContractSigned'] as const),
  ...(['ContractDeclined', 'ContractRevoked', 'ContractRestored', 'ContractWithdrawn'] as const),
  ...(['ChargeSent', 'ChargeReminded', 'ChargePaymentClaimed', 'ReceiptSent'] as const),
  ...(['ExpiryWarningPrepared', 'ExpiryWarningSent', 'ExpiryWarningUnsent'] as const),
  ...(['SessionChangeRequested', 'SessionRequestWithdrawn', 'SessionRequestGranted'] as const),
  ...(['SessionRequestRefused', 'NudgeSent', 'NudgeUnsent'] as const),
  ...(['WhatsAppMessageSent', 'WhatsAppMessageReported', 'WhatsAppAnswered'] as const),
);

/** The event without what the trainer noted for themselves, which students are not told either. */
export function withoutNotes(event: PastEvent): PastEvent {
  const data = { ...(event.data as Record<string, unknown>), observacoes: null, justificativa: null };
  if (/^(Credit|Transaction|ChargeRefunded)/.test(event.type)) Object.assign(data, { motivo: null });
  if (event.type.startsWith('Transaction')) Object.assign(data, { descricao: null });
  return { ...event, data };
}

const MOMENT: Intl.DateTimeFormatOptions = {
  ...({ day: '2-digit', month: '2-digit', year: '2-digit' } as const),
  ...({ hour: 'numeric', minute: '2-digit' } as const),
};

/** Facts per turn of the event loop: each says its records in words. */
const FACTS_AT_ONCE = 20;

/** All facts of a dossier with their numbers, and where each comes from. */
export async function composeDossier(rows: DossierRows, scope: DossierScope): Promise<DossierFacts> {
  const { zone, from, to, now, today, words } = scope;
  const { person } = rows;
  const events = rows.events.filter((event) => isAbout(event, person.eles)).map(withoutNotes);
  const byPosition = new Map(events.map((event) => [event.position, event]));
  const ofSession = byThing(events, sessionOf);
  const [ofRequest, ofCharge, ofPayment] = (['request_id', 'charge_id', 'transaction_id'] as const).map(
    (name) => byThing(events, ({ data }) => (data as Record<string, unknown>)[name]),
  ) as [ByThing, ByThing, ByThing];
  const moment = (em: Date | string) => dateFormat(MOMENT, zone).format(new Date(em)).replace(',', '');
  const fontes: { n: number; registros: SourceRecord[] }[] = [];

  const who = ({ by }: PastEvent): string => {
    if (by === scope.tenantId) return 'Rende';
    if (by === scope.userId) return person.personal?.split(' ')[0] ?? 'Personal';
    return person.eles.includes(by ?? '') ? 'Aluno' : 'Outra pessoa';
  };
  /** In its own history. The contract's is that of all who signed it, so there it is said as in the student's. */
  const textOf = (event: PastEvent) => {
    const { subject, data } = event;
    const of = subject.startsWith('contract:')
      ? `student:${(data as { student_id: string }).student_id}`
      : subject;
    return SHORT[event.type] ?? lowered(words(event, of));
  };
  const recordOf = (event: PastEvent): SourceRecord => ({
    posicao: event.position,
    dito: {
      em: event.recorded_at.toISOString(),
      quem: who(event),
      aparelho: deviceName(event.user_agent),
      texto: textOf(event),
    },
  });
  /** The next number, of a fact that these records say. */
  const number = (found: readonly PastEvent[], others: readonly SourceRecord[] = []): number => {
    const n = fontes.length + 1;
    const registros = [...found.map(recordOf), ...others].sort((one, other) => one.posicao - other.posicao);
    fontes.push({ n, registros });
    return n;
  };

  const inForce = new Set<PastEvent>();
  const contratos = rows.contracts.map((contract) => {
    const { id, titulo, versao, enviado_em, aberto_em, assinado_em, assinante, meio, desistiu } = contract;
    const own = ofRequest(id);
    for (const event of own) inForce.add(event);
    const fatos = [
      ['Enviado', moment(enviado_em)],
      ...(aberto_em ? [['Aberto pelo aluno', moment(aberto_em)]] : []),
      [
        'Assinado',
        `${moment(assinado_em)}${assinante ? `, por ${assinante}` : ''}, ${meio === 'link' ? 'pelo link individual' : 'na própria conta, com login'}`,
      ],
      ...(desistiu ? [['Desistência', 'o aluno desistiu no prazo de 7 dias']] : []),
      ['Código de verificação', contract.codigo],
      ...(contract.conteudo_hash ? [['SHA-256 do conteúdo', contract.conteudo_hash]] : []),
    ] as [string, string][];
    return {
      n: number(own),
      titulo,
      versao,
      desistiu,
      fatos,
      clausula: contract.clausula,
      assinado_em: assinado_em.toISOString(),
    };
  });

  /** The rules of the sessions' places in the period, each from when it was set. */
  const rules = placesOf(rows.sessions).flatMap(({ location_id, local }) => {
    const set = events.filter(
      ({ type, subject, recorded_at }) =>
        type === 'CancellationPolicySet' && subject === `policy:${location_id}` && recorded_at < to,
    );
    const first = set.findLastIndex(({ recorded_at }) => recorded_at < from);
    const initial = { location_id, local, terms: defaultPolicy, since: null };
    return [
      ...(first < 0 ? [{ ...initial, n: number([]) }] : []),
      ...set.slice(Math.max(first, 0)).map((event) => ({
        location_id,
        local,
        n: number([event]),
        terms: event.data as PolicyTerms,
        since: event.recorded_at,
      })),
    ];
  });
  const ruleAt = (location_id: string | null, em: Date) =>
    rules.findLast((rule) => rule.location_id === location_id && (!rule.since || rule.since <= em));

  const bookedByStudent: number[] = [];
  const numbers = new Map<string, number>();
  let canceladas = 0;
  const sessionRows = await inTurns(rows.sessions, FACTS_AT_ONCE, (session) => {
    const own = ofSession(session.id).filter(
      (event) => IN_AGENDA.has(event.type) || (event.type in REMINDERS && isSent(event)),
    );
    const n = number(own);
    numbers.set(session.id, n);
    const happened = own.filter(({ type }) => IN_AGENDA.has(type));
    if (happened.some((event) => event.type === 'SessionBooked' && who(event) === 'Aluno'))
      bookedByStudent.push(n);
    const cancelled =
      session.status === 'cancelada' ? own.findLast(({ type }) => type === 'SessionCancelled') : undefined;
    if (session.status === 'cancelada' && !session.deleted) canceladas += 1;
    return [
      String(n),
      `${moment(session.inicio)}\n${session.local ?? 'Sem local'}`,
      [standingOf(session, now), cancelled && noticeOf(cancelled), costOf(session, cancelled)]
        .filter(Boolean)
        .join('\n'),
      happened
        .map((event) => `${moment(event.recorded_at)} ${who(event)}: ${textOf(event)} [${event.position}]`)
        .join('\n'),
      own
        .filter(({ type }) => type in REMINDERS)
        .map((event) => `${moment(event.recorded_at)} ${reminderInWords(event)} [${event.position}]`)
        .join('\n') || '—',
    ];
  });

  function reminderInWords(event: PastEvent): string {
    const { type, data } = event as PastEvent & (ReminderEvent | WhatsAppEvent);
    if (type === 'WhatsAppMessageReported') return REPORTED[data.estado];
    return `${REMINDERS[type]}${type === 'ReminderSent' && who(event) === 'Rende' ? ', pelo Rende' : ''}`;
  }

  function costOf({ credito, taxa, location_id }: DossierRows['sessions'][number], cancelled?: PastEvent) {
    const cost = [
      credito === 'usado' && '1 crédito',
      credito === 'faltou' && 'a pagar à parte',
      taxa > 0 && `taxa de ${brl(taxa)}`,
    ].filter(Boolean);
    if (!cancelled) return cost.join(' e ');
    const { politica, motivo } = cancelled.data as { politica: PolicyTerms | null; motivo: string };
    const free = motivo === 'aluno_fora_do_prazo' || motivo === 'falta' ? 'perdoada' : 'sem custo';
    const rule = ruleAt(location_id, cancelled.recorded_at);
    const by =
      politica &&
      (rule && termsInWords(rule.terms) === termsInWords(politica)
        ? `regra nº ${rule.n}`
        : termsInWords(politica));
    return [cost.join(' e ') || (politica ? 'sem custo' : free), by].filter(Boolean).join(', ');
  }

  const start = rows.lines.findIndex(({ em }) => new Date(em) >= from);
  const end = rows.lines.findLastIndex(({ em }) => new Date(em) < to) + 1;
  const lines = start < 0 ? [] : rows.lines.slice(start, end);
  const abertura = (start < 0 ? rows.lines.at(-1) : rows.lines[start - 1])?.saldo ?? 0;
  const creditos = {
    abertura,
    linhas: await inTurns(lines, FACTS_AT_ONCE, (line) => {
      const { tipo, posicao, quantidade, saldo, session_id, plano_nome, sessao } = line;
      const known = byPosition.get(posicao);
      const of = numbers.get(session_id ?? '');
      const why = of ? `Sessão nº ${of}` : sessao ? `Sessão de ${moment(sessao.inicio)}` : (plano_nome ?? '');
      return [
        String(number(known ? [known] : [], known ? [] : [{ posicao, dito: null }])),
        moment(line.em),
        lineKinds[tipo],
        why,
        String(posicao),
        signed(quantidade),
        String(saldo),
      ];
    }),
    fechamento: lines.at(-1)?.saldo ?? abertura,
  };

  const chargeNumbers = new Map<string, number>();
  const paid = new Set(rows.payments.map(({ id }) => id));
  const chargeRows = await inTurns(
    rows.charges,
    FACTS_AT_ONCE,
    ({ id, descricao, valor, pago, vencimento, status }) => {
      // A payment of the period is a fact of its own.
      const own = ofCharge(id).filter(
        ({ type, data }) =>
          OF_CHARGE.has(type) && !paid.has((data as { transaction_id?: string }).transaction_id ?? ''),
      );
      const n = number(own);
      chargeNumbers.set(id, n);
      const open = status === 'aberta' ? valor - pago : 0;
      const state =
        status === 'cancelada'
          ? 'Cancelada'
          : status === 'paga'
            ? 'Paga'
            : vencimento < today
              ? 'Vencida'
              : 'Em aberto';
      return [
        String(n),
        descricao ?? 'Cobrança',
        shortDate(vencimento),
        state,
        brl(valor),
        brl(pago),
        brl(open),
      ];
    },
  );
  const standing = rows.charges.filter(({ status }) => status !== 'cancelada');
  const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

  const paymentRows = await inTurns(rows.payments, FACTS_AT_ONCE, (payment) => {
    const { id, data, valor, metodo_pagamento, descricao, recibo, charge_id, estornado_em } = payment;
    const own = ofPayment(id).filter(({ type }) => !MESSAGES.has(type));
    // The record of a charge's payment says it with its charge; the entry's says the same again.
    const ofItsCharge = own.filter(({ type }) => OF_CHARGE.has(type));
    const n = number(ofItsCharge.length > 0 ? ofItsCharge : own);
    const charge = chargeNumbers.get(charge_id ?? '');
    return [
      String(n),
      shortDate(data),
      // A receipt keeps what it was for as long as the law asks, but only itself.
      [(person.nome === null ? null : descricao) ?? 'Pagamento', charge && `cobrança nº ${charge}`]
        .filter(Boolean)
        .join(', '),
      methodNames[metodo_pagamento as PaymentMethod],
      recibo === null ? '—' : `nº ${recibo}`,
      estornado_em ? `${brl(valor)}\nestornado ${moment(estornado_em)}` : brl(valor),
    ];
  });

  const inSessions = (event: PastEvent) => numbers.has(sessionOf(event) ?? '');
  const told = events.filter(
    (event) =>
      MESSAGES.has(event.type) &&
      event.recorded_at >= from &&
      event.recorded_at < to &&
      !inForce.has(event) &&
      !inSessions(event) &&
      isSent(event),
  );
  const mensagens = await inTurns(told, FACTS_AT_ONCE, (event) => [
    String(number([event])),
    moment(event.recorded_at),
    words(event),
    who(event),
  ]);

  return {
    contratos,
    regras: rules.map(({ n, local, terms, since }) => [
      String(n),
      local ?? 'sessões sem local',
      sentence(termsInWords(terms)),
      since ? `desde ${moment(since)}` : 'regra padrão do Rende',
    ]),
    mostrada: [
      ...contratos
        .filter(({ clausula }) => clausula !== null)
        .map(({ n }) => `No contrato (nº ${n}), que o aluno assinou: a cláusula está acima.`),
      ...(bookedByStudent.length > 0
        ? [
            `Na tela em que o próprio aluno agendou, que diz a regra antes de confirmar: ${bookedByStudent.length === 1 ? 'sessão' : 'sessões'} nº ${bookedByStudent.join(', ')}.`,
          ]
        : []),
    ],
    sessoes: { linhas: sessionRows, resumo: summaryOf(rows.sessions, now), canceladas },
    creditos,
    cobrancas: {
      linhas: chargeRows,
      valor: sum(standing.map(({ valor }) => valor)),
      pago: sum(standing.map(({ pago }) => pago)),
      aberto: sum(standing.map(({ valor, pago, status }) => (status === 'aberta' ? valor - pago : 0))),
    },
    pagamentos: {
      linhas: paymentRows,
      recebido: sum(rows.payments.map(({ valor, estornado_em }) => (estornado_em ? 0 : valor))),
    },
    mensagens,
    fontes,
  };
}

/** Not what happened to a session while it was another student's. */
function isAbout({ data }: PastEvent, ids: readonly string[]): boolean {
  const { student_id } = data as { student_id?: string | null };
  return !student_id || ids.includes(student_id);
}

/** What was prepared is sent by mail, or waits to be sent. */
const isSent = ({ type, data }: PastEvent) =>
  !/^(Reminder|ExpiryWarning)Prepared$/.test(type) || (data as { por_email: boolean }).por_email;

type ByThing = (id: string) => readonly PastEvent[];

/** The session that it is about; of a message that was sent by itself, that of its reminder. */
function sessionOf({ data }: PastEvent): string | undefined {
  const { session_id, tipo, sobre_id } = data as { session_id?: string | null } & Partial<MessageAbout>;
  return session_id ?? (tipo === 'lembrete' ? sobre_id : undefined);
}

/** The events about each thing, found by its id in them. */
function byThing(events: readonly PastEvent[], idOf: (event: PastEvent) => unknown): ByThing {
  const found = new Map<unknown, PastEvent[]>();
  for (const event of events) {
    const id = idOf(event);
    const own = found.get(id);
    if (own) own.push(event);
    else found.set(id, [event]);
  }
  return (id) => found.get(id) ?? [];
}

/** Places in the order of their first sessions. */
const placesOf = (sessions: DossierRows['sessions']) => [
  ...new Map(sessions.map((session) => [session.location_id, session])).values(),
];

function standingOf(
  { status, deleted, inicio }: DossierRows['sessions'][number],
  now: Date,
): 'Excluída' | 'Feita' | 'Cancelada' | 'Sem baixa' | 'Agendada' {
  if (deleted) return 'Excluída';
  if (status === 'feita') return 'Feita';
  if (status === 'cancelada') return 'Cancelada';
  return inicio < now ? 'Sem baixa' : 'Agendada';
}

/** "9 h antes"; nothing for what the trainer cancelled. */
function noticeOf({ data, recorded_at }: PastEvent): string | null {
  const { motivo, inicio } = data as { motivo: string; inicio: string };
  return motivo.startsWith('aluno') ? noticeInWords(inicio, recorded_at) : null;
}

/** "24 sessões: 20 feitas, 3 canceladas, 1 agendada" */
function summaryOf(sessions: DossierRows['sessions'], now: Date): string {
  const count = (state: ReturnType<typeof standingOf>) =>
    sessions.filter((session) => standingOf(session, now) === state).length;
  const parts = [
    [count('Feita'), 'feita', 'feitas'],
    [count('Cancelada'), 'cancelada', 'canceladas'],
    [count('Agendada'), 'agendada', 'agendadas'],
    [count('Sem baixa'), 'sem baixa', 'sem baixa'],
    [count('Excluída'), 'excluída', 'excluídas'],
  ] as const;
  const said = parts.filter(([found]) => found > 0).map(([found, one, other]) => plural(found, one, other));
  return `${plural(sessions.length, 'sessão', 'sessões')}: ${said.join(', ')}.`;
}

const lowered = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
const signed = (quantity: number) =>
  quantity > 0 ? `+${quantity}` : quantity < 0 ? `\u2212${-quantity}` : '0';
