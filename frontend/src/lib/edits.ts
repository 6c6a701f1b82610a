import { useCommand } from './command.js';
import type { Waiting } from './outbox.js';
import { sendOrQueue } from './pending.js';

interface Edit {
  method?: 'PATCH' | 'PUT';
  path: string;
  /** The id of the edited record. */
  subject: string;
  /** The kind of edit, such as `edit-plan`. */
  effect: string;
  /** The edited item in words: "O plano Mensal". */
  title: string;
}

interface Input<Changes> {
  changes: Changes;
  /** Data that pages show besides the edited fields, such as the name of the chosen plan. */
  shows?: Waiting['shows'];
}

/** Edits an item, or puts the edit into the outbox while offline. */
export function useEdit<Changes extends object>({ method = 'PATCH', ...edit }: Edit) {
  return useCommand({
    send: ({ changes, shows }: Input<Changes>, key) =>
      sendOrQueue<unknown>({ key, method, body: changes, ...edit, ...(shows && { shows }) }),
  });
}
