// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev The launchpad and its parts, as their callers see them.
interface Launchpad {
    struct Reserves {
        address usdc;
        uint96 virtualUsdc;
        address wrappedCoin;
        uint96 virtualCoin;
    }

    struct Fees {
        uint16 feeBps;
        uint16 creatorShareBps;
        address treasury;
    }

    struct CurveView {
        uint256 agentId;
        address asset;
        uint256 virtualReserve;
        uint256 reserve;
        uint256 held;
        uint256 fees;
        uint256 price;
    }

    function launch(uint256 agentId, address asset, string calldata name, string calldata symbol)
        external
        returns (address);
    function buy(address token, uint256 amountIn, uint256 minTokens, uint256 deadline) external returns (uint256);
    function buyWithCoin(address token, uint256 minTokens, uint256 deadline) external payable returns (uint256);
    function sell(address token, uint256 tokens, uint256 minOut, uint256 deadline) external returns (uint256);
    function sellForCoin(address token, uint256 tokens, uint256 minOut, uint256 deadline) external returns (uint256);
    function payCreatorFees(address token) external returns (uint256);
    function divideFees(address token) external returns (uint256);
    function creatorFees(address token) external view returns (uint256);
    function payPlatformFees(address asset) external returns (uint256);
    function curveOf(address token) external view returns (CurveView memory);
    function quoteBuy(address token, uint256 amountIn) external view returns (uint256, uint256);
    function quoteSell(address token, uint256 tokens) external view returns (uint256, uint256);
    function platformFees(address asset) external view returns (uint256);
}

interface Registry {
    function register(string calldata uri) external returns (uint256);
}

interface Asset {
    function approve(address spender, uint256 amount) external returns (bool);
    function balanceOf(address holder) external view returns (uint256);
    function mint(address to, uint256 amount) external;
    function deposit() external payable;
    function transfer(address to, uint256 amount) external returns (bool);
}
