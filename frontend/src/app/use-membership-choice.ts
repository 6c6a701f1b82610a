import { useNavigate } from 'react-router-dom';
import type { MyMembership } from '../../../backend/modules/accounts/accounts.api.js';
import { preferPlace } from '../lib/tenant.js';
import { homeOf, idOf } from '../lib/me.js';

/** Switches to another membership of the user. */
export function useMembershipChoice(): (membership: MyMembership, to?: string) => void {
  const navigate = useNavigate();
  return (membership, to = homeOf(membership.role)) => {
    preferPlace(idOf(membership));
    void navigate(to);
  };
}
