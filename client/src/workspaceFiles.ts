import * as vscode from 'vscode';

/** Folders that hold files of others. */
const skipped = new Set(['node_modules', '.git']);

/** Each may be a request to a server on the web. */
export const mostFolders = 1_000;

/**
 * The files below a folder whose names fit one of the globs, at most so many. The editor's search knows nothing of some
 * file systems that come from extensions: there the folders are read one by one, and it is said if some are left.
 */
export async function filesBelow(
  folder: vscode.Uri,
  globs: readonly string[],
  most: number,
  someAreLeft: () => void = () => {},
): Promise<vscode.Uri[]> {
  const pattern = new vscode.RelativePattern(folder, `**/{${globs.join(',')}}`);
  const found = await vscode.workspace.findFiles(pattern, '**/node_modules/**', most);
  return found.length > 0 || folder.scheme === 'file'
    ? found
    : await walk(folder, globs.map(expressionOf), most, someAreLeft);
}

/** The paths that end as a glob says, with its choices of letters. */
function expressionOf(glob: string): RegExp {
  const parts = glob.split('*').map((part) => part.replace(/[.+?^${}()|\\]/g, '\\$&'));
  return new RegExp(`/${parts.join('[^/]*')}$`);
}

async function walk(
  root: vscode.Uri,
  names: readonly RegExp[],
  most: number,
  someAreLeft: () => void,
): Promise<vscode.Uri[]> {
  const found: vscode.Uri[] = [];
  const folders = [root];
  for (let i = 0; i < folders.length && i < mostFolders && found.length < most; i++) {
    for (const [name, type] of await entriesOf(folders[i]!)) {
      const uri = vscode.Uri.joinPath(folders[i]!, name);
      if (type === vscode.FileType.Directory && !skipped.has(name)) folders.push(uri);
      else if (type === vscode.FileType.File && names.some((one) => one.test(uri.path))) found.push(uri);
    }
  }
  if (folders.length > mostFolders) someAreLeft();
  return found.slice(0, most);
}

/** What is in a folder; nothing where there is none. */
export async function entriesOf(folder: vscode.Uri): Promise<readonly [string, vscode.FileType][]> {
  try {
    return await vscode.workspace.fs.readDirectory(folder);
  } catch (error) {
    if (error instanceof vscode.FileSystemError) return [];
    throw error;
  }
}
