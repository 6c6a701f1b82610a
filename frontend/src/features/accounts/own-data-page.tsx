import { accountOf, useSignedIn } from '../../lib/me.js';
import { Page } from '../../ui/page.js';
import OwnData from './own-data.js';

export default function OwnDataPage() {
  const { membership } = useSignedIn();
  return (
    <Page title="Seus dados" back={accountOf[membership.role].back} width="narrow">
      <OwnData isTrainer={membership.role === 'personal'} />
    </Page>
  );
}
