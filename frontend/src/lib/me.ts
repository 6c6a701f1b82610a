import { createContext, useContext } from 'react';
import type { Me, MyMembership } from '../../../backend/modules/accounts/accounts.api.js';
import { firstName } from '../../../backend/platform/first-name.api.js';

export type Role = MyMembership['role'];

/** Home page of each role. */
export const homeOf = (role: Role): string => (role === 'personal' ? '/' : '/aluno');

/** What tells memberships apart: a user may be several students of one trainer. */
export const idOf = ({ student_id, tenant_id }: MyMembership): string => student_id ?? tenant_id;

/** Whether the user is several students of this membership's trainer. */
export const isOneOfSeveral = ({ tenant_id }: MyMembership, memberships: readonly MyMembership[]): boolean =>
  memberships.filter((each) => each.tenant_id === tenant_id).length > 1;

/** Names the student where the user is several of one trainer, and then the trainer only where there are others. */
export function titleOf(membership: MyMembership, memberships: readonly MyMembership[]): string {
  const { role, nome, aluno, tenant_id } = membership;
  if (role === 'personal') return 'Meu negócio';
  const trainer = firstName(nome);
  if (!isOneOfSeveral(membership, memberships)) return `Aluno de ${trainer}`;
  const student = aluno ?? 'Aluno';
  return memberships.every((each) => each.tenant_id === tenant_id) ? student : `${student} · ${trainer}`;
}

/** The pages of a person's own account, in the area of each role. */
export const accountOf: Record<Role, { account: string; security: string; back: string }> = {
  personal: { account: '/ajustes/conta', security: '/ajustes/seguranca', back: '/ajustes' },
  aluno: { account: '/aluno/conta', security: '/aluno/seguranca', back: '/aluno' },
};

/** The signed-in user, with the membership of this page. */
export interface SignedIn extends Me {
  membership: MyMembership;
}

export const MeContext = createContext<SignedIn | null>(null);

/** The signed-in person; only behind the guard. */
export function useSignedIn(): SignedIn {
  const me = useContext(MeContext);
  if (!me) throw new Error('There is nobody signed in here');
  return me;
}
