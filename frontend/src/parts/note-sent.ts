import { useSendTo } from '../lib/command.js';
import { attempt } from '../ui/toast.js';

/** Notes charges as sent, whose message was opened in WhatsApp. */
export function useNoteSent() {
  const { mutateAsync } = useSendTo('POST /charges/:id/sent');
  return (ids: readonly string[]): void =>
    void attempt(() => Promise.all(ids.map((id) => mutateAsync(id))), 'Erro ao anotar o envio');
}
