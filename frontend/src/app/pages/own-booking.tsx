import { Button } from '@mantine/core';
import { Link, useParams } from 'react-router-dom';
import { OwnBookingPage } from '../../features/agenda/own-booking-page.js';
import { Notice } from '../../ui/notice.js';
import { useSignedIn, titleOf } from '../../lib/me.js';
import { useMembershipChoice } from '../use-membership-choice.js';

/** The address names the trainer. If it is another one of the student's trainers, switches to that membership first. */
export default function OwnBooking() {
  const { personalId } = useParams();
  const { memberships, membership } = useSignedIn();
  const choose = useMembershipChoice();
  if (personalId === membership.tenant_id) return <OwnBookingPage trainer={membership.nome} />;
  const other = memberships.find(({ tenant_id, role }) => tenant_id === personalId && role === 'aluno');
  return (
    <Notice
      icon="shield"
      title="Acesso Negado"
      wholePage
      role="alert"
      action={
        other ? (
          <Button onClick={() => choose(other, `/agenda/${other.tenant_id}`)}>
            Trocar para {titleOf(other, memberships)}
          </Button>
        ) : (
          <Button component={Link} to="/aluno">
            Ir para a minha área
          </Button>
        )
      }
    >
      {other ? 'Este link é de outro personal seu.' : 'Este link é de um personal de quem você não é aluno.'}
    </Notice>
  );
}
