import {
  locationChanges,
  type Location,
  type LocationChanges,
} from '../../../../backend/modules/locations/locations.api.js';
import { Sheet, SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { LocationForm } from './location-form.js';
import { useChangeLocation } from './locations.queries.js';

/** Edits a location; open while there is one. */
export function EditLocationSheet({ location, onClose }: { location: Location | null; onClose: () => void }) {
  return (
    <Sheet opened={location !== null} onClose={onClose} title="Editar local" beginsAtField="typed">
      {location && <EditForm location={location} onDone={onClose} />}
    </Sheet>
  );
}

function EditForm({ location, onDone }: { location: Location; onDone: () => void }) {
  const { mutateAsync } = useChangeLocation(location.id);

  const save = async (body: LocationChanges) => {
    await mutateAsync(body);
    onDone();
    toast.success('Local atualizado');
  };

  return (
    <LocationForm
      schema={locationChanges}
      location={location}
      submitLabel="Salvar"
      failure="Erro ao atualizar local"
      save={save}
      Buttons={SheetActions}
    />
  );
}
