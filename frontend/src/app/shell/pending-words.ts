import { editBooking, editSession } from '../../features/agenda/pending-session.js';
import { editEntry } from '../../features/finance/pending-entries.js';
import { editLocation } from '../../features/locations/pending-location.js';
import { editStudent } from '../../parts/pending-student.js';
import { editNewTask, editTask } from '../../features/tasks/pending-task.js';
import { formatAmount } from '../../lib/money.js';
import type { Waiting } from '../../lib/outbox.js';

/** The action of a write, as a participle that follows "será", "não foi" and "tenha sido". */
const done: Readonly<Record<string, string>> = {
  book: 'agendada',
  complete: 'marcada como feita',
  reopen: 'reaberta',
  cancel: 'cancelada',
  move: 'remarcada',
  'own-confirm': 'confirmada',
  'own-cancel': 'desmarcada',
  delete: 'excluída',
  renew: 'feita',
  record: 'registrado',
  reverse: 'estornado',
  'edit-students': 'atualizado',
  'edit-plans': 'atualizado',
  'edit-services': 'atualizado',
  'edit-locations': 'atualizado',
  'edit-session': 'atualizada',
  'edit-policy': 'atualizada',
  'create-task': 'criada',
  'edit-task': 'atualizada',
  'move-task': 'reordenada',
  'complete-task': 'concluída',
  'reopen-task': 'reaberta',
  'delete-task': 'excluída',
};

/** The end of the sentence that a write's title begins: what happens to the item. */
export function outcomeOf({ effect, held }: Waiting): string {
  const word = done[effect] ?? 'enviada';
  switch (held?.why) {
    case 'refused':
      return `não foi ${word}: ${held.message.replace(/\.?$/, '.')}`;
    case 'doubt':
      return `talvez já tenha sido ${word}: a resposta se perdeu há mais de dois dias. Confira antes de enviar de novo.`;
    case undefined:
      return `será ${word}.`;
  }
}

const kinds: Readonly<Record<string, string>> = {
  book: 'sessões',
  complete: 'sessões',
  reopen: 'sessões',
  cancel: 'sessões',
  delete: 'sessões',
  'own-confirm': 'aulas',
  'own-cancel': 'aulas',
  move: 'sessões',
  'edit-session': 'sessões',
  'edit-policy': 'políticas',
  'edit-students': 'alunos',
  'edit-plans': 'planos',
  'edit-services': 'serviços',
  'edit-locations': 'locais',
  renew: 'créditos',
  record: 'lançamentos',
  reverse: 'lançamentos',
};
const listed = new Intl.ListFormat('pt-BR');

/** What was sent, in one line: one write by its name, several counted by what they are about. */
export function sentWords(writes: readonly Pick<Waiting, 'effect' | 'title'>[]): string {
  const [first] = writes;
  if (first && writes.length === 1) return `${first.title} foi ${done[first.effect] ?? 'enviada'}.`;
  const counts = new Map<string, number>();
  for (const { effect } of writes) {
    const kind = effect.endsWith('-task') ? 'tarefas' : (kinds[effect] ?? 'outras');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const parts = [...counts].map(([kind, count]) => `${count} em ${kind}`);
  return `${writes.length} alterações enviadas: ${listed.format(parts)}.`;
}

/** The form in which a refused write can be edited, and its initial values. */
export interface Rewrite {
  to: string;
  draft: string;
  values: object;
}

/** What a field of a form has for a value of the body. */
function typed([name, value]: [string, unknown]): [string, unknown] {
  if (typeof value !== 'number') return [name, name === 'locais' ? value : (value ?? '')];
  return [name, name === 'valor' ? formatAmount(value) : String(value)];
}

/** For the edit of a record that the server refused: its form, with what was typed. `kind`: first word of its drafts. */
const typedAgain =
  (address: string, kind: string) =>
  ({ subject, body }: Waiting) => ({
    to: `${address}?editar=${subject}`,
    draft: `${kind}.${subject}`,
    values: Object.fromEntries(Object.entries(body as object).map(typed)),
  });

const rewrites: Readonly<Record<string, (write: Waiting, zone: string) => Rewrite>> = {
  book: editBooking,
  record: editEntry,
  'edit-session': editSession,
  'edit-students': editStudent,
  'edit-plans': typedAgain('/planos', 'plano'),
  'edit-services': typedAgain('/ajustes/servicos', 'servico'),
  'edit-locations': editLocation,
  'edit-policy': typedAgain('/ajustes/politicas', 'politica'),
  'create-task': editNewTask,
  'edit-task': editTask,
};

export const rewriteOf = (write: Waiting, zone: string): Rewrite | null =>
  rewrites[write.effect]?.(write, zone) ?? null;
