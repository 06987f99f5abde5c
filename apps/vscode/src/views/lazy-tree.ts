import { EventEmitter, type TreeDataProvider } from 'vscode'

/** A tree whose provider is loaded when the view is first seen. */
export function lazyTree<T>(load: () => Promise<TreeDataProvider<T>>): TreeDataProvider<T> {
  const changed = new EventEmitter<void>()
  let loaded: Promise<TreeDataProvider<T>> | undefined
  const tree = () => {
    loaded ??= load().then((provider) => {
      provider.onDidChangeTreeData?.(() => changed.fire())
      return provider
    })
    return loaded
  }
  return {
    onDidChangeTreeData: changed.event,
    getChildren: async (node) => (await tree()).getChildren(node),
    getTreeItem: async (node) => (await tree()).getTreeItem(node),
  }
}
