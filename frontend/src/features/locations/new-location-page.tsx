import { newLocation } from '../../../../backend/modules/locations/locations.api.js';
import { NewRecordPage } from '../../ui/records-page.js';
import { LocationForm } from './location-form.js';
import { locations } from './locations.queries.js';

export default function NewLocationPage() {
  return <NewRecordPage of={locations} form={(props) => <LocationForm schema={newLocation} {...props} />} />;
}
