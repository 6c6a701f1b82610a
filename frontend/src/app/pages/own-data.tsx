import OwnData from '../../features/accounts/own-data.js';
import { Page } from '../../ui/page.js';
import { useSignedIn } from '../me-context.js';

export default function OwnDataPage() {
  const { membership } = useSignedIn();
  return (
    <Page title="Seus dados" back={membership.role === 'personal' ? '/ajustes' : '/aluno'} width="narrow">
      <OwnData />
    </Page>
  );
}
