import { useCommand } from './command.js';
import type { Waiting } from './outbox.js';
import { sendOrQueue } from './pending.js';

interface Edit {
  method?: 'PATCH' | 'PUT';
  path: string;
  topics: readonly string[];
  /** The id of the edited record. */
  subject: string;
  /** What kind of edit it is, such as `edit-plan`. */
  effect: string;
  /** What is edited, in words: "O plano Mensal". */
  title: string;
}

interface Input<Changes> {
  changes: Changes;
  /** What pages show of the edit beside its fields, such as the name of a plan that was chosen. */
  shows?: Waiting['shows'];
}

/** Edits a thing, or queues the edit where there is no network. */
export function useEdit<Changes extends object>({ method = 'PATCH', ...edit }: Edit) {
  return useCommand({
    send: ({ changes, shows }: Input<Changes>, key) =>
      sendOrQueue<unknown>({ key, method, body: changes, ...edit, ...(shows && { shows }) }),
    topics: edit.topics,
  });
}
