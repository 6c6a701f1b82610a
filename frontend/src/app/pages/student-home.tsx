import { OwnSessions } from '../../features/agenda/own-sessions.js';
import { Page } from '../../ui/page.js';
import { useSignedIn } from '../me-context.js';

export default function StudentHome() {
  const { user, membership } = useSignedIn();
  return (
    <Page
      title={`Olá, ${user.nome.split(' ')[0]}!`}
      subtitle={`Seu personal: ${membership.nome}`}
      width="narrow"
    >
      <OwnSessions />
    </Page>
  );
}
