import type {
  Location,
  LocationChanges,
  NewLocation,
} from '../../../../backend/modules/locations/locations.api.js';
import { records } from '../../lib/records.js';

export const locations = records<Location, NewLocation, LocationChanges>({
  topic: 'locations',
  address: '/locais',
  one: 'local',
  many: 'locais',
  inPart: 'deslocamentos',
  texts: {
    created: 'Local criado',
    updated: 'Local atualizado',
    removed: 'Local removido',
    notLoaded: 'Erro ao carregar locais',
  },
});
