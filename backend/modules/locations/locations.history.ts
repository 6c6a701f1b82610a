import type { HistoryWording, HistoryWords } from '../../platform/event-store/history.js';
import type { LocationEvent, LocationFields } from './location.js';

const labels: Record<keyof LocationFields, string> = { nome: 'nome', endereco: 'endereço', cep: 'CEP' };

const subjects = ({ location_id }: { location_id: string }) => [`location:${location_id}`];
const said = (words: string): HistoryWording => ({ subjects, words: () => words });

/** `nome (Academia Centro)`; an emptied field is named without a value. */
function changed(changes: Partial<LocationFields>): string {
  return Object.entries(labels)
    .filter(([field]) => field in changes)
    .map(([field, label]) => {
      const value = changes[field as keyof LocationFields];
      return value ? `${label} (${value})` : label;
    })
    .join(', ');
}

export const locationHistory: HistoryWords<LocationEvent> = {
  LocationAdded: {
    subjects,
    words: ({ nome }: LocationFields) => (nome === null ? 'Cadastrou o local' : `Cadastrou o local ${nome}`),
  },
  LocationUpdated: { subjects, words: (changes: Partial<LocationFields>) => `Alterou ${changed(changes)}` },
  LocationDeactivated: said('Inativou o local'),
  LocationReactivated: said('Reativou o local'),
  LocationRemoved: said('Excluiu o local'),
  LocationWaySet: {
    subjects,
    words: ({ minutos }: { minutos: number }) =>
      minutos === 0
        ? 'Removeu o tempo de deslocamento até outro local'
        : `Definiu ${minutos} min de deslocamento até outro local`,
  },
  LocationRestored: said('Desfez a exclusão do local'),
};
