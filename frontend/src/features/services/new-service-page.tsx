import { newService } from '../../../../backend/modules/services/services.api.js';
import { NewRecordPage } from '../../ui/records-page.js';
import { ServiceForm } from './service-form.js';
import { services } from './services.queries.js';

export default function NewServicePage() {
  return <NewRecordPage of={services} form={(props) => <ServiceForm schema={newService} {...props} />} />;
}
