import { Button } from '@mantine/core';
import { Link, useNavigate } from 'react-router-dom';
import { newLocation, type NewLocation } from '../../../../backend/modules/locations/locations.api.js';
import { Card } from '../../ui/card.js';
import { Page } from '../../ui/page.js';
import { toast } from '../../ui/toast.js';
import { LocationForm } from './location-form.js';
import { useCreateLocation } from './locations.queries.js';

export default function NewLocationPage() {
  const navigate = useNavigate();
  const { mutateAsync } = useCreateLocation();

  const create = async (body: NewLocation) => {
    await mutateAsync(body);
    toast.success('Local criado');
    await navigate('/locais');
  };

  return (
    <Page title="Novo Local" back="/locais" width="narrow">
      <Card>
        <LocationForm
          schema={newLocation}
          submitLabel="Cadastrar Local"
          failure="Erro ao criar local"
          save={create}
          beside={
            <Button component={Link} to="/locais" variant="default">
              Cancelar
            </Button>
          }
        />
      </Card>
    </Page>
  );
}
