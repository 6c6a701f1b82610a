import { Button } from '@mantine/core';
import type { NewLocation } from '../../../../backend/modules/locations/locations.api.js';
import type { QuickFormProps } from '../../ui/choice.js';
import { SheetActions } from '../../ui/sheet.js';
import { toast } from '../../ui/toast.js';
import { NewLocationForm } from './new-location-form.js';
import { locations } from './locations.queries.js';

/** Creates a location from within another form. */
export default function QuickLocation({ onDone, onBack }: QuickFormProps) {
  const create = locations.useCreate();
  const save = async (body: NewLocation) => {
    const { id } = await create(body);
    toast.success(locations.texts.created);
    onDone(id);
  };
  return (
    <NewLocationForm
      submitLabel="Salvar"
      failure="Erro ao criar local"
      save={save}
      Buttons={SheetActions}
      beside={
        <Button variant="default" onClick={onBack}>
          Voltar
        </Button>
      }
    />
  );
}
