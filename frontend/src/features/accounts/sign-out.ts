import { endHere, leave } from '../../lib/auth.js';
import { clearOfflineCache } from '../../lib/offline-cache.js';
import { owner } from '../../lib/owner.js';
import { discardPending, sendPending, usePending } from '../../lib/pending.js';
import { forgetTenant } from '../../lib/query-client.js';
import { isUnanswered } from '../../lib/problem.js';
import { forgetPush } from '../../lib/pushed-here.js';
import { noteStudent } from '../../lib/tenant.js';
import { clearDrafts } from '../../lib/browser-drafts.js';
import { toast } from '../../ui/toast.js';

/**
 * Ends this browser's session and deletes all data that was read in it; the guard then redirects to /auth. The outbox is sent
 * before; with `givingUp`, writes that cannot be sent are discarded.
 */
export async function signOut({ givingUp = false } = {}): Promise<void> {
  await sendPending();
  if (!givingUp && usePending.getState().writes.length > 0) {
    toast.error('Há alterações ainda não enviadas', {
      description: 'Se você sair agora, elas serão perdidas.',
      action: { label: 'Sair mesmo assim', onClick: () => void signOut({ givingUp: true }) },
    });
    return;
  }
  const mine = owner();
  const ended = await endSession();
  if (ended === 'refused') {
    toast.error('Erro ao fazer logout');
    return;
  }
  await forgetAll(mine);
  toast.success('Logout realizado com sucesso', {
    description:
      ended === 'here'
        ? 'Você saiu só neste aparelho, sem internet. Para encerrar este acesso por completo, desconecte-o depois em Segurança.'
        : undefined,
  });
}

/** `here`: the session ended only in this browser, because the server could not be reached. */
async function endSession(): Promise<'everywhere' | 'here' | 'refused'> {
  if (navigator.onLine) {
    const error = await leave();
    if (!error || !isUnanswered(error)) return error ? 'refused' : 'everywhere';
  }
  await endHere();
  return 'here';
}

/** After the account was deleted, and its session with it: removes everything of it from this browser. */
export async function leaveDeleted(): Promise<void> {
  const mine = owner();
  await leave();
  await forgetAll(mine);
}

async function forgetAll(mine: ReturnType<typeof owner>): Promise<void> {
  forgetTenant();
  noteStudent(null);
  clearDrafts();
  await Promise.all([clearOfflineCache(), mine && discardPending(mine), forgetPush().catch(() => undefined)]);
}
