import { useNavigate } from 'react-router-dom';
import type { MyMembership } from '../../../backend/modules/accounts/accounts.api.js';
import { preferTenant } from '../lib/tenant.js';
import { homeOf } from '../lib/me.js';

export const titleOf = ({ role, nome }: MyMembership): string =>
  role === 'personal' ? 'Meu negócio' : `Aluno de ${nome.split(' ')[0]}`;

/** Switches to another membership of the user. */
export function useMembershipChoice(): (membership: MyMembership, to?: string) => void {
  const navigate = useNavigate();
  return ({ tenant_id, role }, to = homeOf(role)) => {
    preferTenant(tenant_id);
    void navigate(to);
  };
}
