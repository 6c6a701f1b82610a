import { auth } from '../../lib/auth.js';
import { forgetKept } from '../../lib/kept.js';
import { queryClient } from '../../lib/query-client.js';
import { chooseTenant, forgetPositions } from '../../lib/tenant.js';
import { toast } from '../../ui/toast.js';

/** Ends this browser's session and forgets all that was read in it; the guard then leads to /auth. */
export async function signOut(): Promise<void> {
  const { error } = await (await auth()).signOut({ scope: 'local' });
  if (error) {
    toast.error('Erro ao fazer logout');
    return;
  }
  forgetTenant();
  await forgetKept();
  toast.success('Logout realizado com sucesso');
}

export function forgetTenant(): void {
  chooseTenant(null);
  forgetPositions();
  queryClient.clear();
}
