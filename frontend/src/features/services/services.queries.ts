import type {
  NewService,
  Service,
  ServiceChanges,
} from '../../../../backend/modules/services/services.api.js';
import { records } from '../../lib/records.js';

export const services = records<Service, NewService, ServiceChanges>({
  topic: 'services',
  address: '/ajustes/servicos',
  one: 'serviço',
  many: 'serviços',
  texts: {
    created: 'Serviço criado',
    updated: 'Serviço atualizado',
    removed: 'Serviço removido',
    notLoaded: 'Erro ao carregar serviços',
  },
});
