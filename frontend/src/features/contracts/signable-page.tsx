import { Page } from '../../ui/page.js';
import { Async, Skeletons } from '../../ui/states.js';
import { useSignable, type Reader } from './contracts.queries.js';
import { Signing } from './signing.js';

export function SignablePage({ reader, back }: { reader: Reader; back: string }) {
  const contract = useSignable(reader);
  const { data } = contract;
  return (
    <Page
      title={data?.titulo ?? 'Contrato'}
      back={back}
      subtitle={data && reader.as === 'trainer' && data.aluno?.nome}
    >
      <Async
        of={contract}
        skeleton={<Skeletons count={1} height={400} />}
        failure="Erro ao carregar contratos"
      >
        {(shown) => <Signing contract={shown} reader={reader} />}
      </Async>
    </Page>
  );
}
