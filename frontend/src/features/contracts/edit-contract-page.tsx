import { useNavigate, useParams } from 'react-router-dom';
import {
  contractChanges,
  type Contract,
  type ContractChanges,
} from '../../../../backend/modules/contracts/contracts.api.js';
import { Page } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { takenBack, toast } from '../../ui/toast.js';
import { ContractForm } from './contract-form.js';
import { useChangeContract, useContract } from './contracts.queries.js';

export default function EditContractPage() {
  const { id = '' } = useParams();
  return (
    <Page title="Editar contrato" back={`/ajustes/contratos-termos/${id}`}>
      <Async
        of={useContract(id)}
        skeleton={<Skeletons count={1} height={400} />}
        failure="Erro ao carregar contratos"
      >
        {(contract) => <Edit contract={contract} />}
      </Async>
    </Page>
  );
}

function Edit({ contract }: { contract: Contract }) {
  const navigate = useNavigate();
  const { mutateAsync } = useChangeContract(contract.id);
  const save = async (changes: ContractChanges) => {
    const { versao } = await mutateAsync(changes);
    const before = Object.fromEntries(
      Object.keys(changes).map((name) => [name, contract[name as keyof typeof contract]]),
    );
    toast.success('Contrato atualizado com sucesso', {
      description:
        versao > contract.versao
          ? `Versão ${versao}. Quem já recebeu a anterior continua com ela.`
          : undefined,
      ...takenBack(() => mutateAsync({ ...before, se_ainda: changes })),
    });
    await navigate(`/ajustes/contratos-termos/${contract.id}`);
  };
  return (
    <ContractForm
      schema={contractChanges}
      contract={contract}
      submitLabel="Salvar"
      failure="Erro ao atualizar contrato"
      save={save}
    />
  );
}
