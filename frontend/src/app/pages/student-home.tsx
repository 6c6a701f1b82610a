import { OwnSessions } from '../../features/agenda/own-sessions.js';
import { OwnCharges } from '../../features/charges/own-charges.js';
import { ContractsToSign } from '../../features/contracts/own-contracts.js';
import { OwnBalance } from '../../features/credits/own-balance.js';
import { greeting } from '../../lib/greeting.js';
import { Card } from '../../ui/card.js';
import { Page } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { useSignedIn } from '../me-context.js';

export default function StudentHome() {
  const { user, membership } = useSignedIn();
  return (
    <Page
      title={greeting({ name: user.nome, email: user.email })}
      subtitle={`Seu personal: ${membership.nome}`}
      width="narrow"
    >
      <OwnSessions />
      <OwnBalance />
      <OwnCharges />
      <ContractsToSign />
      <Card flush>
        <Row
          to="/aluno/calendario"
          title="Aulas no seu calendário"
          facts="Google, Apple, Outlook: atualizadas sozinhas"
        />
        <Row to="/aluno/dados" title="Seus dados" facts="Exportar uma cópia ou excluir a conta" />
      </Card>
    </Page>
  );
}
