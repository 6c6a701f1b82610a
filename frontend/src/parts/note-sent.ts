import { write } from '../lib/calls.js';
import { useCommand } from '../lib/command.js';
import { attempt } from '../ui/toast.js';

/** Notes charges as sent, whose message was opened in WhatsApp. */
export function useNoteSent() {
  const { mutateAsync } = useCommand({
    send: (id: string, key) => write('POST /charges/:id/sent', key, { of: [id] }),
  });
  return (ids: readonly string[]): void =>
    void attempt(() => Promise.all(ids.map((id) => mutateAsync(id))), 'Erro ao anotar o envio');
}
