import { NewRecordPage } from '../../ui/records-page.js';
import { NewLocationForm } from './new-location-form.js';
import { locations } from './locations.queries.js';

export default function NewLocationPage() {
  return <NewRecordPage of={locations} form={(props) => <NewLocationForm {...props} />} />;
}
