import builtinKinds from '../data/builtinKinds.json.gz';
import crdSources from '../data/crdSources.json.gz';
import crossplane from '../data/crossplane.json.gz';
import goLibrary from '../data/goLibrary.json.gz';
import kro from '../data/kro.json.gz';
import openApi from '../data/openApi.json.gz';
import { isOneFile } from './cli/oneFile.ts';
import { run } from './program.ts';

isOneFile({
  'builtinKinds.json.gz': builtinKinds,
  'crdSources.json.gz': crdSources,
  'crossplane.json.gz': crossplane,
  'goLibrary.json.gz': goLibrary,
  'kro.json.gz': kro,
  'openApi.json.gz': openApi,
});
void run();
