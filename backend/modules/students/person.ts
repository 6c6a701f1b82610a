import type { Aggregate } from '../../platform/event-store/aggregate.js';

/** The person's key was destroyed, so the personal fields of their events can no longer be read. */
export interface PersonForgotten {
  type: 'PersonForgotten';
  /** Id of the person, which is the student's. */
  data: { person_id: string };
}

/** A retention of a forgotten person has ended, and its key was destroyed too. */
export interface RetentionEnded {
  type: 'RetentionEnded';
  data: { person_id: string; key_id: string };
}

export type PersonEvent = PersonForgotten | RetentionEnded;

export interface PersonState {
  forgotten: boolean;
  /** Ids of the keys whose retention has ended. */
  ended: readonly string[];
}

/** A person that events refer to, with an encryption key of their own. */
export const person: Aggregate<PersonState, PersonEvent> = {
  name: 'person',
  initialState: { forgotten: false, ended: [] },
  evolve(state, { type, data }) {
    switch (type) {
      case 'PersonForgotten':
        return { ...state, forgotten: true };
      case 'RetentionEnded':
        return { ...state, ended: [...state.ended, data.key_id] };
    }
  },
  events: {
    PersonForgotten: { schemaVersion: 1, forgets: ({ person_id }) => person_id },
    RetentionEnded: {
      schemaVersion: 1,
      forgets: ({ person_id, key_id }) => ({ person: person_id, key: key_id }),
    },
  },
};

/** No event if the person was already forgotten. */
export function decideForget({ forgotten }: PersonState, person_id: string): PersonForgotten[] {
  return forgotten ? [] : [{ type: 'PersonForgotten', data: { person_id } }];
}

/** A retention ends once, and only for a forgotten person. */
export function decideEndRetention(
  { forgotten, ended }: PersonState,
  person_id: string,
  key_id: string,
): RetentionEnded[] {
  return forgotten && !ended.includes(key_id)
    ? [{ type: 'RetentionEnded', data: { person_id, key_id } }]
    : [];
}
