import type { Location } from '../../../../backend/modules/locations/locations.api.js';
import type { MaybePending } from '../../lib/pending-over-server.js';
import { ItemCard } from '../../ui/card.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { RecordActions, RecordsPage } from '../../ui/records-page.js';
import { Tag } from '../../ui/tag.js';
import { LocationForm } from './location-form.js';
import { locations } from './locations.queries.js';

export default function LocationsPage() {
  return (
    <RecordsPage
      of={locations}
      icon="pin"
      height={130}
      empty={{
        title: 'Seus locais de atendimento vão aparecer aqui',
        action: 'Cadastrar o primeiro local',
        text: 'Academia, parque, casa do aluno: cada local pode ter a própria política de cancelamento.',
      }}
      card={(location, onEdit) => <LocationCard location={location} onEdit={onEdit} />}
      form={(location, props) => <LocationForm location={location} {...props} />}
    />
  );
}

function LocationCard({ location, onEdit }: { location: Location & MaybePending; onEdit: () => void }) {
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
      actions={<RecordActions of={locations} item={location} onEdit={onEdit} />}
    >
      {location.pendente && <PendingMark ownLine />}
    </ItemCard>
  );
}
