import type { Aggregate } from '../../platform/event-store/aggregate.js';

/** The person's key was destroyed: nobody can read the personal fields of their events any more. */
export interface PersonForgotten {
  type: 'PersonForgotten';
  /** Id of the person, which is the student's. */
  data: { person_id: string };
}

/** The term of what the law kept of a forgotten person is over: its key was destroyed too. */
export interface RetentionEnded {
  type: 'RetentionEnded';
  data: { person_id: string; key_id: string };
}

export type PersonEvent = PersonForgotten | RetentionEnded;

export interface PersonState {
  forgotten: boolean;
  /** Ids of the keys whose term was ended. */
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

/** No event where the person was forgotten before. */
export function decideForget({ forgotten }: PersonState, person_id: string): PersonForgotten[] {
  return forgotten ? [] : [{ type: 'PersonForgotten', data: { person_id } }];
}

/** A term ends once, and only of somebody who was forgotten. */
export function decideEndRetention(
  { forgotten, ended }: PersonState,
  person_id: string,
  key_id: string,
): RetentionEnded[] {
  return forgotten && !ended.includes(key_id)
    ? [{ type: 'RetentionEnded', data: { person_id, key_id } }]
    : [];
}
