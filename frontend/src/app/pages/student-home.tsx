import { formatLongDay } from '../../lib/dates.js';
import { greeting } from '../../lib/greeting.js';
import { useToday } from '../../lib/zone.js';
import { Card } from '../../ui/card.js';
import { Page } from '../../ui/page.js';
import { Row } from '../../ui/row.js';
import { isOneOfSeveral, useSignedIn } from '../../lib/me.js';
import { OwnSections } from '../own-sections.js';
import classes from './student-home.module.css';

export default function StudentHome() {
  const { user, membership, memberships } = useSignedIn();
  const today = useToday();
  return (
    <Page
      title={greeting({ name: user.nome, email: user.email })}
      subtitle={
        <>
          <div className={classes.day}>Hoje, {formatLongDay(today)}</div>
          {isOneOfSeveral(membership, memberships) && <div>Página de {membership.aluno ?? 'Aluno'}</div>}
          <div>Seu personal: {membership.nome}</div>
        </>
      }
      width="narrow"
    >
      <OwnSections>
        <Card flush>
          <Row
            to="/aluno/calendario"
            title="Aulas no seu calendário"
            facts="Google, Apple, Outlook: atualizadas sozinhas"
          />
          <Row to="/aluno/dados" title="Seus dados" facts="Exportar uma cópia ou excluir a conta" />
        </Card>
      </OwnSections>
    </Page>
  );
}
