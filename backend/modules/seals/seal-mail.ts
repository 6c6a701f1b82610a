import type { Aggregate } from '../../platform/event-store/aggregate.js';

/** Whether the trainer gets the proof of the own log by mail each month. */
export interface SealMailEvent {
  type: 'SealMailSet';
  data: { ativo: boolean };
}

interface SealMailState {
  ativo: boolean;
}

/** The stream's id is the tenant's. */
export const sealMail: Aggregate<SealMailState, SealMailEvent> = {
  name: 'seal-mail',
  initialState: { ativo: false },
  evolve(state, { type, data }) {
    switch (type) {
      case 'SealMailSet':
        return { ...state, ...data };
    }
  },
  events: { SealMailSet: { schemaVersion: 1 } },
};

/** No event where it is so already. */
export const decideSealMail = (state: SealMailState, ativo: boolean): SealMailEvent[] =>
  state.ativo === ativo ? [] : [{ type: 'SealMailSet', data: { ativo } }];
