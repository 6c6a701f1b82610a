import type { Aggregate } from '../../platform/event-store/aggregate.js';

/** The person's key was destroyed: what events say about the person cannot be read any more, by anybody. */
export interface PersonForgotten {
  type: 'PersonForgotten';
  /** Id of the person, which is the student's. */
  data: { person_id: string };
}

export interface PersonState {
  forgotten: boolean;
}

/** Somebody of whom events speak, under a key of their own. */
export const person: Aggregate<PersonState, PersonForgotten> = {
  name: 'person',
  initialState: { forgotten: false },
  evolve(_state, { type }) {
    switch (type) {
      case 'PersonForgotten':
        return { forgotten: true };
    }
  },
  events: { PersonForgotten: { schemaVersion: 1, forgets: ({ person_id }) => person_id } },
};

/** Nobody is forgotten twice. */
export function decideForget({ forgotten }: PersonState, person_id: string): PersonForgotten[] {
  return forgotten ? [] : [{ type: 'PersonForgotten', data: { person_id } }];
}
