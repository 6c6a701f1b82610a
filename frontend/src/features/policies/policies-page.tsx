import { Button } from '@mantine/core';
import { Link, useSearchParams } from 'react-router-dom';
import { CardList, ItemCard } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Page } from '../../ui/page.js';
import { Notice } from '../../ui/notice.js';
import { Skeletons } from '../../ui/states.js';
import { PendingMark } from '../../ui/pending-mark.js';
import { Tag } from '../../ui/tag.js';
import { EditPolicySheet, termsInWords } from './edit-policy-sheet.js';
import { usePolicies } from './policies.queries.js';

export default function PoliciesPage() {
  const [search, setSearch] = useSearchParams();
  const list = usePolicies();
  const known = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const wanted = search.get('editar');
  const edited =
    wanted === '' && known.length === 1
      ? known[0]!
      : (known.find(({ location_id }) => location_id === wanted) ?? null);
  const edit = (id: string | null) => setSearch(id === null ? {} : { editar: id }, { replace: true });

  return (
    <Page
      title="Políticas de cancelamento"
      back="/ajustes"
      subtitle="O que acontece quando o aluno cancela em cima da hora, em cada local."
    >
      <InfiniteList
        of={list}
        failure="Erro ao carregar políticas"
        skeleton={<Skeletons count={2} height={150} layout="cards" />}
        empty={
          <Notice
            icon="shield"
            title="Cada local tem a própria política"
            action={
              <Button component={Link} to="/locais/novo">
                Cadastrar um local
              </Button>
            }
          >
            Cadastre um local para definir prazo, taxa e desconto de crédito. Até lá vale o padrão: 24 h, sem
            taxa e sem descontar crédito.
          </Notice>
        }
      >
        {(policies) => (
          <CardList items={policies.map((policy) => ({ ...policy, id: policy.location_id }))}>
            {(policy) => (
              <ItemCard
                title={policy.location_nome}
                tags={policy.padrao && <Tag>Padrão</Tag>}
                actions={
                  <Button
                    size="sm"
                    variant="default"
                    onClick={() => edit(policy.location_id)}
                    leftSection={<Icon name="edit" size={18} />}
                  >
                    Editar política
                  </Button>
                }
              >
                <div>{termsInWords(policy)}</div>
                {policy.pendente && <PendingMark ownLine />}
              </ItemCard>
            )}
          </CardList>
        )}
      </InfiniteList>
      <EditPolicySheet policy={edited} onClose={() => edit(null)} />
    </Page>
  );
}
