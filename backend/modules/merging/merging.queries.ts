import { defineQuery } from '../../platform/database/define-query.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { dateOf } from '../../platform/local-time.js';
import { weekdayAndTime } from '../../platform/portuguese.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { charge, dueOf } from '../charges/charge.js';
import { monthlyPlan } from '../charges/monthly-plan.js';
import { signatureRequest } from '../contracts/signature-request.js';
import { balance, creditAccount, usableLots } from '../credits/credit-account.js';
import { transaction } from '../finance/transaction.js';
import { plan } from '../plans/plan.js';
import { receipt } from '../receipts/receipt.js';
import { reminder } from '../reminders/reminder.js';
import { reminderIdOf } from '../reminders/reminders.commands.js';
import { series } from '../series/series.js';
import { session } from '../sessions/session.js';
import { studentNote } from '../student-notes/student-note.js';
import { existingStudent, type ExistingStudent, student } from '../students/student.js';
import { type Belonging, idsOf } from './belongings.loads.js';
import { joined, merge } from './merging.commands.js';
import { loadPair, type Pair } from './pair.loads.js';
import type { ComparedField, MergePreview, StudentsToMerge } from './merging.api.js';

/** What a merging would do, decided by the command. */
export const PreviewMerge = defineQuery(
  'PreviewMerge',
  { store: EventStore, hints: HintBus },
  async ({ context }, { store, hints }, ficaId: string, { com }: StudentsToMerge): Promise<MergePreview> => {
    let preview: MergePreview;
    await store.rehearse(context, async (tx) => {
      const pair = await loadPair(tx, ficaId, com);
      const passing = await passingOf(tx, pair);
      const saldo =
        balance(await tx.load(creditAccount, ficaId), tx.now) + balance({ lots: pair.lotes }, tx.now);
      // The rehearsed id is never recorded.
      if (pair.impedimentos.length === 0) await merge(tx, com, pair, hints);
      const fica = existingStudent(await tx.load(student, ficaId));
      preview = {
        fica: { id: ficaId, nome: pair.fica.nome! },
        sai: { id: com, nome: pair.sai.nome! },
        impedimentos: pair.impedimentos,
        dados: await comparedOf(tx, pair, fica),
        ...passing,
        saldo,
        acesso: [...accessInWords(pair), ...(await remindersInWords(tx, pair))],
      };
      return {};
    });
    return preview!;
  },
);

async function loadAll<State>(
  things: readonly Belonging[],
  aggregate: { name: string },
  load: (id: string) => Promise<State>,
): Promise<NonNullable<State>[]> {
  const states: State[] = await Promise.all(idsOf(things, aggregate).map(load));
  return states.flatMap((state) => state ?? []);
}

async function passingOf(tx: CommandTransaction, { sai, things, lotes }: Pair) {
  const [sessions, charges, entries, requests, notes, fixed, agreed] = await Promise.all([
    loadAll(things, session, (id) => tx.load(session, id)),
    loadAll(things, charge, (id) => tx.load(charge, id)),
    loadAll(things, transaction, (id) => tx.load(transaction, id)),
    loadAll(things, signatureRequest, (id) => tx.load(signatureRequest, id)),
    loadAll(things, studentNote, (id) => tx.load(studentNote, id)),
    loadAll(things, series, (id) => tx.load(series, id)),
    tx.load(monthlyPlan, sai.student_id),
  ]);
  const standing = sessions.filter(({ deleted }) => !deleted);
  const coming = standing.filter(
    ({ status, fim }) => status === 'agendada' && Date.parse(fim) > tx.now.getTime(),
  );
  const today = dateOf(tx.now, tx.context.timezone);
  const open = charges.filter((one) => !one.cancelada && dueOf(one) > 0);
  const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
  const paid = charges.flatMap(({ pagamentos }) => pagamentos.map(({ valor }) => valor));
  const received = entries.filter(({ tipo, estorno_id }) => tipo === 'receita' && estorno_id === null);
  return {
    sessoes_futuras: coming.length,
    sessoes_passadas: standing.length - coming.length,
    horarios_fixos: fixed.filter(({ removida, ate }) => !removida && (ate === null || ate >= today)).length,
    creditos: usableLots({ lots: lotes }, tx.now).map(({ remaining, expira_em, reposicao }) => ({
      quantidade: remaining,
      expira_em,
      reposicao: reposicao !== undefined,
    })),
    cobrancas_abertas: open.length,
    valor_aberto: sum(open.map(dueOf)),
    recebido: sum([...paid, ...received.map(({ valor }) => valor)]),
    recibos: idsOf(things, receipt).length,
    contratos: requests.length,
    anotacoes: notes.filter(({ removed }) => !removed).length,
    mensalidade: agreed?.ativo ? { valor: agreed.valor, vence_dia: agreed.vence_dia } : null,
  };
}

const COMPARED = ['nome', 'telefone', 'whatsapp', 'email', 'cpf', 'nascimento'] as const;

async function comparedOf(
  tx: CommandTransaction,
  { sai }: Pair,
  fica: ExistingStudent,
): Promise<ComparedField[]> {
  const named = async (planId: string | null) => {
    const state = planId === null ? undefined : await tx.load(plan, planId);
    return state?.status === 'existing' ? state.nome : null;
  };
  const plano = {
    campo: 'plano' as const,
    fica: await named(fica.plano_id),
    outro: await named(sai.plano_id),
  };
  const fields = COMPARED.map((campo) => ({ campo, fica: fica[campo], outro: sai[campo] }));
  return [...fields, plano]
    .filter((field) => field.fica !== null || field.outro !== null)
    .map((field) => ({ ...field, outro: field.outro === field.fica ? null : field.outro }));
}

/** Reminders that were sent and not answered: their links are about the second record. */
async function remindersInWords(tx: CommandTransaction, { things }: Pair): Promise<string[]> {
  const sessions = await loadAll(things, session, (id) => tx.load(session, id));
  const waiting = sessions.filter(
    ({ status, inicio }) => status === 'agendada' && Date.parse(inicio) > tx.now.getTime(),
  );
  const reminders = await Promise.all(waiting.map((one) => tx.load(reminder, reminderIdOf(one))));
  return waiting
    .filter((_, at) => reminders[at]?.sent && !reminders[at].confirmed)
    .map(
      ({ inicio }) =>
        `O lembrete já enviado da sessão de ${weekdayAndTime(inicio, tx.context.timezone)} deixa de valer: outro é preparado.`,
    );
}

function accessInWords({ acessos }: Pair): string[] {
  const { fica, sai } = acessos;
  const together = joined(acessos);
  const words: string[] = [];
  if (sai.user_id !== null && fica.user_id === null)
    words.push('O login do outro cadastro passa a ser o deste aluno, que vê tudo dos dois.');
  if (sai.user_id !== null && fica.user_id !== null)
    words.push('O mesmo login já entra nos dois: passa a ver um aluno só.');
  if (sai.area && together.area?.link_id === sai.area.link_id)
    words.push('O link da área do outro cadastro continua valendo, e mostra tudo dos dois.');
  if (sai.area && together.area?.link_id !== sai.area.link_id)
    words.push('O link da área do outro cadastro deixa de funcionar.');
  if (fica.area && together.area === null)
    words.push('O link da área deste aluno deixa de funcionar: ele passa a ter login.');
  if (fica.calendario && sai.calendario)
    words.push('O link do calendário do outro cadastro deixa de funcionar.');
  return words;
}
