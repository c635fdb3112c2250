package tree

func systemObstacles() []obstacle { return nil }
