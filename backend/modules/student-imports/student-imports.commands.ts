import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { inTurns } from '../../platform/turns.js';
import { decideEnd, decideSet, monthlyPlan } from '../charges/monthly-plan.js';
import { creditAccount, decideOpen, decideRemoveAll } from '../credits/credit-account.js';
import { offeredPlan, plan } from '../plans/plan.js';
import { periodOf } from '../plans/plans.api.js';
import { distinctTags } from '../students/students.commands.js';
import { decideArchive, decideRegister, decideRemove, decideTag, student } from '../students/student.js';
import { fateOf, newLines, notUndone, studentImport } from './student-import.js';
import { type ImportLines, type ImportLine, UNDONE_AT_ONCE } from './student-imports.api.js';

/** Lines that are decided in one turn of the event loop: a few milliseconds. */
const LINES_AT_ONCE = 10;

export const ImportStudents = defineCommand(
  'ImportStudents',
  async (tx, { import_id: id, linhas: lines }: ImportLines) => {
    const state = await tx.load(studentImport, id);
    const fresh = newLines(state, lines);
    const planIds = new Set(
      fresh
        .flatMap((line) => [line.aluno.plano_id, agreedPlan(line)])
        .filter((its) => typeof its === 'string'),
    );
    const plans = await Promise.all([...planIds].map((planId) => tx.load(plan, planId)));
    const offered = plans.map((its) => offeredPlan(its));
    const isMonthly = (id: string | undefined) =>
      offered.some(({ plan_id, tipo }) => plan_id === id && periodOf(tipo) !== null);
    if (fresh.some((line) => line.mensalidade && !isMonthly(agreedPlan(line))))
      throw new Problem('charges.not_monthly');
    const alunos = await inTurns(fresh, LINES_AT_ONCE, (line) => register(tx, line));
    if (alunos.length > 0)
      tx.append(studentImport, id, [{ type: 'StudentsImported', data: { import_id: id, alunos } }]);
    const ids = new Map([...state.alunos, ...alunos].map(({ linha, student_id }) => [linha, student_id]));
    const student_ids = lines.map(({ linha }) => ids.get(linha)!);
    return { id, importados: alunos.length, repetidos: lines.length - alunos.length, student_ids };
  },
);

/** The plan that a line's agreement is for: its own, or the student's. */
const agreedPlan = ({ aluno, mensalidade }: ImportLine): string | undefined =>
  mensalidade && (mensalidade.plano_id ?? aluno.plano_id ?? undefined);

async function register(tx: CommandTransaction, line: ImportLine) {
  const { linha, aluno, inativo, etiquetas, saldo, mensalidade } = line;
  const plano_id = agreedPlan(line);
  const student_id = randomUUID();
  tx.append(student, student_id, decideRegister(student_id, aluno));
  if (etiquetas)
    tx.append(student, student_id, decideTag(await tx.load(student, student_id), distinctTags(etiquetas)));
  if (mensalidade && plano_id) {
    const terms = { ...mensalidade, plano_id };
    const at = { now: tx.now, timezone: tx.context.timezone };
    tx.append(monthlyPlan, student_id, decideSet(undefined, student_id, terms, at));
  }
  if (inativo) tx.append(student, student_id, decideArchive(await tx.load(student, student_id)));
  for (const credits of saldo) {
    const origin = { student_id, entry_id: randomUUID(), now: tx.now };
    tx.append(creditAccount, student_id, decideOpen(origin, credits, tx.context.timezone));
  }
  const creditos = saldo.reduce((sum, { quantidade }) => sum + quantidade, 0);
  return { linha, student_id, creditos, ...(mensalidade && { mensalidade: true as const }) };
}

/** Entities that refer to students, except their credits. */
const inUse = defineLookUp<{ used: string }, [used: string[]]>(
  `select used from uses where tenant_id = $1 and used = any($2::text[]) and holder <> 'credit-account'`,
);

export const UndoStudentImport = defineCommand('UndoStudentImport', undoStep);

/** All steps at once, which is only rehearsed. */
export const UndoWholeImport = defineCommand('UndoWholeImport', async (tx, id: string) => {
  for (;;) {
    const step = await undoStep(tx, id);
    if (step.restam === 0) return step;
  }
});

async function undoStep(tx: CommandTransaction, id: string) {
  const left = notUndone(await tx.load(studentImport, id));
  const step = left.slice(0, UNDONE_AT_ONCE);
  const uses = await tx.lookUp(
    inUse,
    step.map(({ student_id }) => `student:${student_id}`),
  );
  const used = new Set(uses.map((row) => row.used));
  const states = await Promise.all(
    step.map(async (each) => {
      const [owner, account, monthly] = await Promise.all([
        tx.load(student, each.student_id),
        tx.load(creditAccount, each.student_id),
        tx.load(monthlyPlan, each.student_id),
      ]);
      return { each, owner, account, monthly };
    }),
  );
  const [removidos, mantidos]: [string[], string[]] = [[], []];
  for (const { each, owner, account, monthly } of states) {
    const { student_id, mensalidade } = each;
    // Something other than imported data refers to the student: an agreement that was made later does.
    const isUsed = used.has(`student:${student_id}`) || (monthly !== undefined && !mensalidade);
    const fate = fateOf(each, owner, account, isUsed);
    (fate === 'keep' ? mantidos : removidos).push(student_id);
    if (fate !== 'remove') continue;
    const origin = { student_id, entry_id: randomUUID(), now: tx.now };
    tx.append(creditAccount, student_id, decideRemoveAll(account, origin, 'Importação desfeita'));
    if (monthly) tx.append(monthlyPlan, student_id, decideEnd(monthly));
    tx.append(student, student_id, decideRemove(owner, false));
  }
  if (step.length > 0)
    tx.append(studentImport, id, [
      { type: 'StudentImportUndone', data: { import_id: id, removidos, mantidos } },
    ]);
  return {
    id,
    removidos: removidos.length,
    mantidos: mantidos.length,
    restam: left.length - step.length,
  };
}
