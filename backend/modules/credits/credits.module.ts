import { Module } from '@nestjs/common';
import type { Feature, OwnData } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { statement } from '../../platform/database/statement.js';
import { makeUpRulesApi, defaultMakeUpRules, type MakeUpRules } from './make-up.api.js';
import { definePrice } from '../audit/price.queries.js';
import {
  creditAccount,
  balance,
  type CreditEvent,
  type CreditState,
  type LotShare,
} from './credit-account.js';
import {
  creditListsApi,
  creditsApi,
  creditTransfersApi,
  creditErrors,
  type NewCreditTransfer,
} from './credits.api.js';
import { AdjustCredits, ConsumeCredit, SetMakeUpRules, ShareCredits } from './credits.commands.js';
import { creditSharing } from './credit-sharing.js';
import {
  creditTransfer,
  type DecidedTransfer,
  decideTransfer,
  decideUndoTransfer,
} from './credit-transfer.js';
import { creditHistory } from './credits.history.js';
import {
  creditLedger,
  creditNotes,
  creditSharings,
  creditTransfers,
  makeUpRulesRow,
} from './credits.projection.js';
import { ListLowCredits, GetCreditStatement } from './credits.queries.js';
import { creditsWhy } from './credits.why.js';
import { makeUpRulesOf } from './make-up.js';
import { OwnCreditsController } from './own-credits.controller.js';
import { GetOwnStatement, PrintOwnStatement, WriteOwnStatement } from './own-credits.queries.js';
import type { Effect, Effects } from '../../platform/event-store/effect.js';
import { plural } from '../../platform/plural.api.js';
import { defineGuard, type Write } from '../../platform/event-store/guard.js';
import { Problem } from '../../platform/http/problem.js';
import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { activeStudent, existingStudent, refuseMerged, student } from '../students/student.js';

/** Transfers credits between two students; both accounts change in one transaction. */
const TransferCredits = defineCommand(
  'TransferCredits',
  async (tx, de: string, { para, quantidade, motivo }: NewCreditTransfer) => {
    const [owner, receiver, account] = await Promise.all([
      tx.load(student, de),
      tx.load(student, para),
      tx.load(creditAccount, de),
      tx.load(creditAccount, para),
    ]);
    existingStudent(owner);
    activeStudent(receiver);
    const transfer_id = randomUUID();
    const wanted = { transfer_id, de, para, quantidade, motivo };
    return record(tx, { transfer_id, de, para }, decideTransfer(account, wanted, momentOf(tx)));
  },
);

/** Undoes a transfer while none of its credits was used. */
const UndoCreditTransfer = defineCommand('UndoCreditTransfer', async (tx, transferId: string) => {
  const made = await tx.load(creditTransfer, transferId);
  if (!made) throw new Problem('credits.transfer_not_found');
  const [giver, receiver, de, para] = await Promise.all([
    tx.load(student, made.de),
    tx.load(student, made.para),
    tx.load(creditAccount, made.de),
    tx.load(creditAccount, made.para),
  ]);
  // Its lots are another student's by now.
  for (const who of [giver, receiver]) refuseMerged(who);
  return record(tx, made, decideUndoTransfer(made, { de, para }, momentOf(tx)));
});

const momentOf = ({ now, context: { timezone } }: CommandTransaction) => ({
  now,
  timezone,
  newId: randomUUID,
});

/** Returns the balance of the student who gave the credits. */
async function record(
  tx: CommandTransaction,
  { transfer_id, de, para }: { transfer_id: string; de: string; para: string },
  decided: DecidedTransfer,
) {
  tx.append(creditAccount, de, decided.de);
  tx.append(creditAccount, para, decided.para);
  tx.append(creditTransfer, transfer_id, decided.transfer);
  return { id: transfer_id, saldo: balance(await tx.load(creditAccount, de), tx.now) };
}

const opened = (student_id: string, { lot_id, quantidade }: LotShare): Write => [
  'insert into credit_lots (tenant_id, lot_id, student_id, remaining) values ($1, $2, $3, $4)',
  lot_id,
  student_id,
  quantidade,
];
const moved = (lot_id: string, quantidade: number): Write => [
  'update credit_lots set remaining = remaining + $3 where tenant_id = $1 and lot_id = $2',
  lot_id,
  quantidade,
];
const grown = (data: LotShare & { student_id: string }) => [opened(data.student_id, data)];

/** Remaining credits of each lot, with a check constraint against a negative balance. */
const creditLots = defineGuard<CreditEvent>({
  name: 'credit-lots',
  tables: ['credit_lots'],
  writes: {
    CreditsGranted: grown,
    CreditsOpened: grown,
    CreditConsumed: ({ lot_id }) => [moved(lot_id, -1)],
    CreditReturned: ({ lot_id }) => [moved(lot_id, 1)],
    CreditsAdjusted: ({ student_id, lotes }) =>
      lotes.map((share) =>
        share.quantidade > 0 ? opened(student_id, share) : moved(share.lot_id, share.quantidade),
      ),
    MakeUpGranted: ({ student_id, origem, lot_id }) => [
      moved(origem, -1),
      opened(student_id, { lot_id, quantidade: 1 }),
    ],
    MakeUpTakenBack: ({ origem, lot_id }) => [moved(lot_id, -1), moved(origem, 1)],
    CreditsSent: ({ lotes }) => lotes.map(({ lot_id, quantidade }) => moved(lot_id, quantidade)),
    CreditsReceived: ({ student_id, lotes, desfaz }) =>
      lotes.map((share) =>
        desfaz === null ? opened(student_id, share) : moved(share.lot_id, share.quantidade),
      ),
    CreditsTakenOver: ({ student_id, todos }) => [
      [
        'update credit_lots set student_id = $2 where tenant_id = $1 and lot_id = any($3::uuid[])',
        student_id,
        todos,
      ],
    ],
  },
  violations: { credit_lots_never_negative: () => new Problem('credits.none_available') },
});

type DataOf<Type extends CreditEvent['type']> = Extract<CreditEvent, { type: Type }>['data'];

const credits = (quantity: number) => plural(quantity, 'crédito', 'créditos');
const of = (nome: string | null) => (nome === null ? '' : ` de ${nome}`);

function credit(student_id: string, quantidade: number): Effect[] {
  if (quantidade > 0)
    return [
      {
        kind: 'credits back',
        quantidade,
        student_id,
        texto: (sum, nome) => `devolve ${credits(sum)}${nome === null ? '' : ` a ${nome}`}`,
      },
    ];
  return [
    {
      kind: 'credits away',
      quantidade: -quantidade,
      student_id,
      texto: (sum, nome) => `remove ${credits(sum)}${of(nome)}`,
    },
  ];
}

/** What a transfer leaves its students with. */
const left = (state: CreditState, at: string) => `, e o saldo fica ${balance(state, new Date(at))}`;

const creditEffects: Effects = {
  CreditReturned: ({ student_id }: DataOf<'CreditReturned'>) => credit(student_id, 1),
  CreditConsumed: ({ student_id }: DataOf<'CreditConsumed'>) => credit(student_id, -1),
  CreditsAdjusted: ({ student_id, quantidade }: DataOf<'CreditsAdjusted'>) => credit(student_id, quantidade),
  CreditsReceived: ({ student_id, quantidade, at }: DataOf<'CreditsReceived'>, state: CreditState) => [
    {
      kind: 'transferred back',
      quantidade,
      student_id,
      texto: (sum, nome) => `devolve ${credits(sum)}${nome === null ? '' : ` a ${nome}`}${left(state, at)}`,
    },
  ],
  CreditsSent: ({ student_id, quantidade, at }: DataOf<'CreditsSent'>, state: CreditState) => [
    {
      kind: 'transferred away',
      quantidade,
      student_id,
      texto: (sum, nome) => `tira ${credits(sum)}${of(nome)}${left(state, at)}`,
    },
  ],
  MakeUpTakenBack: ({ student_id }: DataOf<'MakeUpTakenBack'>) => [
    {
      kind: 'make-ups',
      quantidade: 1,
      student_id,
      texto: (sum, nome) =>
        `desfaz ${plural(sum, 'reposição', 'reposições')}${of(nome)}: o crédito volta à validade de antes`,
    },
  ],
  CreditsTakenOver: ({ student_id, lotes }: DataOf<'CreditsTakenOver'>) => [
    {
      kind: 'credits taken over',
      student_id,
      quantidade: lotes.reduce((sum, { remaining }) => sum + remaining, 0),
      texto: (sum) => `passa ${credits(sum)} de volta ao outro cadastro`,
    },
  ],
  CreditsExtended: ({ student_id, vacation_id }: DataOf<'CreditsExtended'>) => [
    vacation_id === null
      ? {
          kind: 'validity of a pause',
          quantidade: 1,
          student_id,
          texto: (_sum, nome) => `tira da validade dos créditos${of(nome)} os dias que faltavam da pausa`,
        }
      : {
          kind: 'validity',
          quantidade: 1,
          student_id,
          texto: (sum, nome) =>
            `volta a validade dos créditos de ${nome ?? plural(sum, 'aluno', 'alunos')} à de antes`,
        },
  ],
};

const creditsOwnData: OwnData = {
  trainer: {
    'lotes-de-creditos': `select lot_id as id, student_id, plano_id, quantidade, restante, criado_em, expira_em,
        session_id as reposicao_de, origem as reposicao_do_lote
      from credit_lot_balances order by position, lot_id`,
    'transferencias-de-creditos': `select t.id, t.de as de_aluno, t.para as para_aluno, t.quantidade, n.motivo, t.desfeita from credit_transfers t
      left join credit_notes n on n.tenant_id = t.tenant_id and n.id = t.id order by t.id`,
    'creditos-divididos': `select id as student_id, dono_id as usa_os_creditos_de from credit_sharing where dono_id is not null order by id`,
    reposicoes: `select ativo, teto_percent, prazo_meses from make_up_rules`,
  },
  sheets: {
    creditos: `select e.entry_id as id, e.student_id, a.nome as aluno, e.em, e.tipo, e.quantidade, e.causa, n.motivo,
        e.lot_id as lote_id, e.plano_id, e.session_id
      from credit_entries e left join students a on a.tenant_id = e.tenant_id and a.id = e.student_id
      left join credit_notes n on n.tenant_id = e.tenant_id and n.id = e.entry_id order by e.position, e.entry_id, e.lot_id`,
  },
  student: {
    creditos: `select e.entry_id as id, e.em, e.tipo, e.quantidade, e.causa, p.nome as plano, e.session_id
      from credit_entries e left join plans p on p.tenant_id = e.tenant_id and p.id = e.plano_id
      where e.student_id = $1 order by e.position, e.entry_id, e.lot_id`,
    'lotes-de-creditos': `select l.lot_id as id, p.nome as plano, l.quantidade, l.restante, l.criado_em, l.expira_em,
        l.session_id as reposicao_de
      from credit_lot_balances l left join plans p on p.tenant_id = l.tenant_id and p.id = l.plano_id
      where l.student_id = $1 order by l.position, l.lot_id`,
    'creditos-divididos': `select split_part(d.nome, ' ', 1) as usa_os_creditos_de from credit_sharing k
      join students d on d.tenant_id = k.tenant_id and d.id = k.dono_id where k.id = $1`,
  },
};

const ShowMakeUpRules = defineQuery('ShowMakeUpRules', async ({ read }): Promise<MakeUpRules> => {
  const [row] = await read(rules({}));
  return row ?? defaultMakeUpRules;
});

const rules = statement((db) =>
  db.selectFrom('make_up_rules').select(['ativo', 'teto_percent', 'prazo_meses']).compile(),
);

/**
 * The last day of credits follows from the days on which a student is away (`deadlines.ts`): each day of a pause or a vacation
 * that they live through, from their purchase on, moves it by one, once. A grant counts the days away that are known by then;
 * what changes them moves all running lots by the difference (`decideMove`).
 *
 * A make-up (reposição; `make-up.ts` in `credits`): when a student cancels in time and the trainer gives make-ups
 * (`MakeUpRulesSet`), the credit moves from its lot to a separate lot that expires later; the balance is unchanged. The number
 * is limited per month of the session. Make-ups are used first, and moved back if the session is scheduled again before they
 * were used.
 *
 * A credit transfer (`credit-transfer.ts`) records entries in both accounts and a stream of its own, in one command. Credits are
 * taken in the order of use, keep their expiry, and exclude make-ups. It can be undone while none of the moved credits was used, also from
 * the statement.
 * Two who share a package (`credit-sharing.ts`): a student uses the credits of another one once their own are used up, also those of
 * their make-ups. All entries are in the account that the credits are of, which is also the one that expires, is warned of, is renewed and
 * moves with its student's pauses; sessions without a credit stay with whose they are, at the price of the plan of whose credits they
 * use. What is undone gives its credit back to where it was taken from, also after the sharing has ended, and there are no chains.
 * Each line of a statement says why it is there (`credits.why.ts`).
 */
@Module(
  together(
    serve(creditListsApi, { low: ListLowCredits }),
    serve(creditsApi, {
      statement: GetCreditStatement,
      adjust: AdjustCredits,
      consume: ConsumeCredit,
      transfer: TransferCredits,
      share: ShareCredits,
    }),
    serve(creditTransfersApi, {
      undo: UndoCreditTransfer,
      undoPrice: definePrice<[string]>('PriceUndoTransfer', UndoCreditTransfer),
    }),
    serve(makeUpRulesApi, { show: ShowMakeUpRules, change: SetMakeUpRules }),
    {
      controllers: [OwnCreditsController],
      providers: [GetOwnStatement.Handler, WriteOwnStatement.Handler, PrintOwnStatement.Handler],
    },
  ),
)
export class CreditsModule {
  static readonly feature: Feature = {
    aggregates: [creditAccount, creditSharing, creditTransfer, makeUpRulesOf],
    guards: [creditLots],
    projections: [creditLedger, creditNotes, creditSharings, creditTransfers, makeUpRulesRow],
    history: creditHistory,
    effects: creditEffects,
    why: creditsWhy,
    ownData: creditsOwnData,
    errors: creditErrors,
  };
}
