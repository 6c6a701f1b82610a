import { plural } from '../../../../backend/platform/plural.api.js';
import { ActionIcon, Button } from '@mantine/core';
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
import { RestoreButton } from '../../ui/restore-button.js';
import { StandingChoice } from '../../ui/standing-choice.js';
import { Tag } from '../../ui/tag.js';
import { EditLocationSheet } from './edit-location-sheet.js';
import { useLocations } from './locations.queries.js';
import { useLocationActions } from './use-location-actions.js';

export default function LocationsPage() {
  const [edited, setEdited] = useState<Location | null>(null);
  const [active, setActive] = useState(true);
  const locations = useLocations(active);
  const total = locations.data?.pages[0]?.total;

  return (
    <Page
      title="Locais"
      back="/ajustes"
      subtitle={total === undefined ? locations.isFetching && 'Carregando...' : countOf(total, active)}
      action={<AddLink to="/locais/novo" thing="local" />}
    >
      <StandingChoice onChoose={setActive} />
      <InfiniteList
        of={locations}
        skeleton={<Skeletons count={3} height={130} layout="cards" />}
        empty={
          active ? (
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
          ) : (
            <Notice icon="archive" title="Nenhum local inativo" />
          )
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
  const { archive, restore, remove, busy } = useLocationActions(location);
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
          {location.is_active ? (
            <Button
              size="sm"
              variant="default"
              loading={busy}
              onClick={archive}
              leftSection={<Icon name="archive" size={18} />}
            >
              Inativar
            </Button>
          ) : (
            <RestoreButton size="sm" variant="light" loading={busy} onClick={restore} />
          )}
          <ActionIcon data-square aria-label={`Remover ${location.nome}`} loading={busy} onClick={remove}>
            <Icon name="trash" size={18} />
          </ActionIcon>
        </>
      }
    />
  );
}

function countOf(total: number, active: boolean): string {
  return active
    ? plural(total, 'local cadastrado', 'locais cadastrados')
    : plural(total, 'local inativo', 'locais inativos');
}
