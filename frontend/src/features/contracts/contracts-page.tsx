import { Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { ContractSummary } from '../../../../backend/modules/contracts/contracts.api.js';
import { plural } from '../../../../backend/platform/plural.api.js';
import { AddLink } from '../../ui/add-link.js';
import { CardList, ItemCard } from '../../ui/card.js';
import { Icon } from '../../ui/icon.js';
import { InfiniteList } from '../../ui/infinite-list.js';
import { Notice } from '../../ui/notice.js';
import { Page } from '../../ui/page.js';
import { RestoreButton } from '../../ui/restore-button.js';
import { StandingChoice } from '../../ui/standing-choice.js';
import { Skeletons } from '../../ui/states.js';
import { Tag } from '../../ui/tag.js';
import { attempt, toast } from '../../ui/toast.js';
import { useChangeContract, useContracts } from './contracts.queries.js';
import classes from './contracts.module.css';
import { kinds } from './words.js';

export default function ContractsPage() {
  const [active, setActive] = useState(true);
  const list = useContracts(active);
  return (
    <Page
      title="Contratos e Termos"
      back="/ajustes"
      subtitle="Crie uma vez, envie e receba assinado pelo celular."
      action={<AddLink to="/ajustes/contratos-termos/novo" thing="contrato" />}
    >
      <StandingChoice onChoose={setActive} />
      <InfiniteList
        of={list}
        failure="Erro ao carregar contratos"
        skeleton={<Skeletons count={3} height={150} layout="cards" />}
        empty={
          active ? (
            <Notice
              icon="shield"
              title="Seus contratos vão aparecer aqui"
              action={
                <Button component={Link} to="/ajustes/contratos-termos/novo">
                  Criar o primeiro contrato
                </Button>
              }
            >
              Comece por um modelo pronto, ajuste o texto e envie para os alunos assinarem pelo celular.
            </Notice>
          ) : (
            <Notice icon="archive" title="Nenhum contrato inativo" />
          )
        }
      >
        {(contracts) => (
          <CardList items={contracts}>{(contract) => <ContractCard contract={contract} />}</CardList>
        )}
      </InfiniteList>
    </Page>
  );
}

function ContractCard({ contract }: { contract: ContractSummary }) {
  const { id, titulo, tipo, is_active, versao, assinaturas, aguardando } = contract;
  const { mutateAsync, isPending } = useChangeContract(id);
  const set = (active: boolean) =>
    attempt(() => mutateAsync({ is_active: active }), 'Erro ao atualizar contrato');
  const setStanding = async (active: boolean) => {
    if (!(await set(active))) return;
    const outcome = (now: boolean) => `Contrato ${now ? 'reativado' : 'inativado'}`;
    toast.success(outcome(active), {
      description: active ? undefined : 'Não recebe novas assinaturas.',
      undo: () => set(!active),
      undone: outcome(!active),
    });
  };
  return (
    <ItemCard
      title={titulo}
      subtitle={`${kinds[tipo]} · versão ${versao}`}
      tags={!is_active && <Tag icon="archive">Inativo</Tag>}
      actions={
        <>
          <Button
            component={Link}
            to={`/ajustes/contratos-termos/${id}`}
            size="sm"
            variant="default"
            aria-label={`Abrir ${titulo}`}
          >
            Abrir
          </Button>
          {is_active ? (
            <Button
              size="sm"
              variant="default"
              loading={isPending}
              onClick={() => void setStanding(false)}
              leftSection={<Icon name="archive" size={18} />}
            >
              Inativar
            </Button>
          ) : (
            <RestoreButton
              size="sm"
              variant="light"
              loading={isPending}
              onClick={() => void setStanding(true)}
            />
          )}
        </>
      }
    >
      <div className={classes.facts}>
        {plural(assinaturas, 'assinatura', 'assinaturas')}
        {aguardando > 0 && ` · ${aguardando} aguardando`}
      </div>
    </ItemCard>
  );
}
