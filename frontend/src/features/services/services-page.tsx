import { serviceChanges, type Service } from '../../../../backend/modules/services/services.api.js';
import { minutesInWords } from '../../lib/choices.js';
import type { MaybePending } from '../../lib/pending-over-server.js';
import { useLocationName } from '../../parts/location-choices.js';
import { ItemCard } from '../../ui/card.js';
import { ColourDot } from '../../ui/choice-chip.js';
import { Money } from '../../ui/money.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { RecordActions, RecordsPage } from '../../ui/records-page.js';
import { Tag } from '../../ui/tag.js';
import { ServiceForm } from './service-form.js';
import { services } from './services.queries.js';

export default function ServicesPage() {
  return (
    <RecordsPage
      of={services}
      icon="tag"
      height={150}
      empty={{
        title: 'Seus serviços vão aparecer aqui',
        action: 'Criar o primeiro serviço',
        text: 'Uma avaliação, uma dupla, uma aula mais curta: cada um com duração, valor e cor. Sem serviços, tudo segue como está.',
      }}
      card={(service, onEdit) => <ServiceCard service={service} onEdit={onEdit} />}
      form={(service, props) => <ServiceForm schema={serviceChanges} service={service} {...props} />}
    />
  );
}

function ServiceCard({ service, onEdit }: { service: Service & MaybePending; onEdit: () => void }) {
  const {
    nome,
    cor,
    duracao_min,
    valor,
    usa_credito,
    locais,
    endereco,
    na_pagina,
    para_alunos,
    is_active,
    pendente,
  } = service;
  const locationName = useLocationName();
  return (
    <ItemCard
      title={
        <>
          <ColourDot colour={cor} /> {nome}
        </>
      }
      subtitle={
        <>
          {minutesInWords(duracao_min)}
          {valor !== null && (
            <>
              {' · '}
              {valor === 0 ? 'grátis' : <Money cents={valor} />}
              {valor > 0 && usa_credito && ' avulso'}
            </>
          )}
          <br />
          {usa_credito ? 'Desconta 1 crédito' : 'Não desconta crédito'}
          {endereco && ' · Online'}
          {locais && (
            <>
              <br />
              {locais.flatMap((id) => locationName(id) ?? []).join(', ') || 'Locais inativos'}
            </>
          )}
        </>
      }
      tags={
        <>
          {na_pagina && <Tag icon="link">Link</Tag>}
          {para_alunos && <Tag icon="people">Alunos</Tag>}
          {!is_active && <Tag icon="archive">Inativo</Tag>}
        </>
      }
      actions={<RecordActions of={services} item={service} onEdit={onEdit} />}
    >
      {pendente && <PendingMark ownLine />}
    </ItemCard>
  );
}
