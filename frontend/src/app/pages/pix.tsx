import { History } from '../../features/audit/history.js';
import { PixPage } from '../../features/charges/pix-page.js';
import { useSignedIn } from '../me-context.js';

export default function Pix() {
  const { user, membership } = useSignedIn();
  return <PixPage name={user.nome} history={<History kind="pixkey" id={membership.tenant_id} />} />;
}
