import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { Address } from '../calendar-links/addresses.js';
import type { Reassigned } from '../students/reassigned.js';

interface OpenInvite {
  invite_id: string;
  /** ISO instant. */
  expires_at: string;
  /** Whom it is for, where that is the student's payer: it is then for all students whom they pay for. */
  payer_id?: string;
}

interface AreaLink {
  link_id: string;
  /** ISO instant. */
  expires_at: string;
}

/** All that lets somebody in as a student: account, area link and calendar address. */
export interface Access {
  user_id: string | null;
  area: (AreaLink & { token_hash: string }) | null;
  calendario: Address | null;
}

export type StudentAccessEvent =
  /** `token_hash` is the SHA-256 of the link's token, in hexadecimal; the token itself is never stored. */
  | { type: 'StudentInvited'; data: { student_id: string; token_hash: string } & OpenInvite }
  /** Cancels all open invites, or those for a payer. */
  | { type: 'InvitesCancelled'; data: { student_id: string; payer_id?: string } }
  /** The user becomes this student; all invites are used up. `payer_id`: it is the account of the student's payer. */
  | {
      type: 'InviteAccepted';
      data: { student_id: string; invite_id: string; user_id: string; payer_id?: string };
    }
  /** The user who was the student `de` becomes this one; `desde`: when they got that access. `payer_id` as where they accepted. */
  | { type: 'AccessTakenOver'; data: Reassigned & { user_id: string; desde: string; payer_id?: string } }
  | { type: 'StudentAccessEnded'; data: { student_id: string; user_id: string } }
  /** A new area link for a student without an account; it replaces the previous one. */
  | { type: 'AreaLinkOpened'; data: { student_id: string; token_hash: string } & AreaLink }
  | { type: 'AreaLinkEnded'; data: { student_id: string; link_id: string } };

export interface StudentAccessState {
  /** Invites that are neither used nor cancelled, but may have expired. Newest last. */
  invites: readonly OpenInvite[];
  user_id: string | null;
  /** The area link, which may have expired. */
  area: AreaLink | null;
}

/** A student's account and links. The stream's id is the student's. */
export const studentAccess: Aggregate<StudentAccessState, StudentAccessEvent> = {
  name: 'student-access',
  initialState: { invites: [], user_id: null, area: null },
  evolve(state, { type, data }) {
    switch (type) {
      case 'StudentInvited': {
        const { student_id: _id, token_hash: _hash, ...invite } = data;
        return { ...state, invites: [...state.invites, invite] };
      }
      case 'InvitesCancelled': {
        const { payer_id } = data;
        const invites = state.invites.filter((one) => payer_id !== undefined && one.payer_id !== payer_id);
        return { ...state, invites };
      }
      case 'InviteAccepted':
      case 'AccessTakenOver':
        return { invites: [], user_id: data.user_id, area: null };
      case 'StudentAccessEnded':
        return { ...state, user_id: null };
      case 'AreaLinkOpened': {
        const { link_id, expires_at } = data;
        return { ...state, area: { link_id, expires_at } };
      }
      case 'AreaLinkEnded':
        return { ...state, area: null };
    }
  },
  events: {
    // A link alone does not keep the student from being removed.
    StudentInvited: { schemaVersion: 1, uses: 'nothing new' },
    InvitesCancelled: { schemaVersion: 1, uses: 'nothing new' },
    InviteAccepted: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    AccessTakenOver: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    StudentAccessEnded: { schemaVersion: 1, uses: 'nothing new' },
    AreaLinkOpened: { schemaVersion: 1, uses: 'nothing new' },
    AreaLinkEnded: { schemaVersion: 1, uses: 'nothing new' },
  },
};

/** A further invite; earlier ones stay valid. */
export function decideInvite(
  { user_id }: StudentAccessState,
  invite: Extract<StudentAccessEvent, { type: 'StudentInvited' }>['data'],
): StudentAccessEvent[] {
  if (user_id !== null) throw new Problem('invites.already_accepted');
  return [{ type: 'StudentInvited', data: invite }];
}

export function decideCancel({ invites }: StudentAccessState, student_id: string): StudentAccessEvent[] {
  return invites.length === 0 ? [] : [{ type: 'InvitesCancelled', data: { student_id } }];
}

/** Cancels those for a payer. */
export function decideCancelFor(
  { invites }: StudentAccessState,
  student_id: string,
  payer_id: string,
): StudentAccessEvent[] {
  const open = invites.some((one) => one.payer_id === payer_id);
  return open ? [{ type: 'InvitesCancelled', data: { student_id, payer_id } }] : [];
}

/** An invite is used once, by one person, before it expires. No event if the user already is this student. */
export function decideAccept(
  { invites, user_id }: StudentAccessState,
  acceptance: Extract<StudentAccessEvent, { type: 'InviteAccepted' }>['data'],
  now: Date,
): StudentAccessEvent[] {
  if (user_id === acceptance.user_id) return [];
  const invite = invites.find(({ invite_id }) => invite_id === acceptance.invite_id);
  if (!invite || new Date(invite.expires_at) <= now) throw new Problem('invites.not_valid');
  return [{ type: 'InviteAccepted', data: acceptance }];
}

export function decideEnd({ user_id }: StudentAccessState, student_id: string): StudentAccessEvent[] {
  return user_id === null ? [] : [{ type: 'StudentAccessEnded', data: { student_id, user_id } }];
}

/** Only while the student has no account, since an account replaces the link. */
export function decideOpenArea(
  { user_id }: StudentAccessState,
  link: Extract<StudentAccessEvent, { type: 'AreaLinkOpened' }>['data'],
): StudentAccessEvent[] {
  if (user_id !== null) throw new Problem('invites.already_accepted');
  return [{ type: 'AreaLinkOpened', data: link }];
}

export function decideEndArea({ area }: StudentAccessState, student_id: string): StudentAccessEvent[] {
  return area === null ? [] : [{ type: 'AreaLinkEnded', data: { student_id, link_id: area.link_id } }];
}
