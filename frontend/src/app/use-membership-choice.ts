import { useNavigate } from 'react-router-dom';
import type { MyMembership } from '../../../backend/modules/accounts/accounts.api.js';
import { preferPlace } from '../lib/tenant.js';
import { homeOf, idOf, isOneOfSeveral } from '../lib/me.js';

/** Names the student where the user is several of one trainer, and then the trainer only where there are others. */
export function titleOf(membership: MyMembership, memberships: readonly MyMembership[]): string {
  const { role, nome, aluno, tenant_id } = membership;
  if (role === 'personal') return 'Meu negócio';
  const trainer = nome.split(' ')[0];
  if (!isOneOfSeveral(membership, memberships)) return `Aluno de ${trainer}`;
  const student = aluno ?? 'Aluno';
  return memberships.every((each) => each.tenant_id === tenant_id) ? student : `${student} · ${trainer}`;
}

/** Switches to another membership of the user. */
export function useMembershipChoice(): (membership: MyMembership, to?: string) => void {
  const navigate = useNavigate();
  return (membership, to = homeOf(membership.role)) => {
    preferPlace(idOf(membership));
    void navigate(to);
  };
}
