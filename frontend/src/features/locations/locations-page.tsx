import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Location } from '../../../../backend/modules/locations/locations.api.js';
import { AddLink } from '../../ui/add-link.js';
import { CardList, ItemCard } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Page } from '../../ui/page.js';
import { Notice } from '../../ui/notice.js';
import { Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { EditLocationSheet } from './edit-location-sheet.js';
import { useLocations } from './locations.queries.js';
import { useRemoveLocationAction } from './use-remove-location.js';

export default function LocationsPage() {
  const [edited, setEdited] = useState<Location | null>(null);
  const locations = useLocations();
  const total = locations.data?.pages[0]?.total;

  return (
    <Page
      title="Locais"
      back="/ajustes"
      subtitle={
        total === undefined
          ? locations.isFetching && 'Carregando...'
          : `${total} ${total === 1 ? 'local cadastrado' : 'locais cadastrados'}`
      }
      action={<AddLink to="/locais/novo" thing="local" />}
    >
      <InfiniteList
        of={locations}
        skeleton={<Skeletons count={3} height={130} layout="cards" />}
        empty={
          <Notice
            icon="pin"
            title="Seus locais de atendimento vão aparecer aqui"
            action={
              <Button component={Link} to="/locais/novo">
                Cadastrar o primeiro local
              </Button>
            }
          >
            Academia, parque, casa do aluno: cada local pode ter a própria política de cancelamento.
          </Notice>
        }
      >
        {(items) => (
          <CardList items={items}>
            {(location) => <LocationCard location={location} onEdit={() => setEdited(location)} />}
          </CardList>
        )}
      </InfiniteList>
      <EditLocationSheet location={edited} onClose={() => setEdited(null)} />
    </Page>
  );
}

function LocationCard({ location, onEdit }: { location: Location; onEdit: () => void }) {
  const { remove, busy } = useRemoveLocationAction(location);
  return (
    <ItemCard
      title={location.nome}
      subtitle={location.endereco ?? 'Sem endereço'}
      tags={
        location.is_active ? (
          <Tag tone="good" icon="check">
            Ativo
          </Tag>
        ) : (
          <Tag icon="archive">Inativo</Tag>
        )
      }
      actions={
        <>
          <Button size="sm" variant="default" onClick={onEdit} leftSection={<Icon name="edit" size={18} />}>
            Editar
          </Button>
          <Button
            size="sm"
            variant="subtle"
            color="gray"
            loading={busy}
            onClick={remove}
            leftSection={<Icon name="trash" size={18} />}
          >
            Remover
          </Button>
        </>
      }
    />
  );
}
